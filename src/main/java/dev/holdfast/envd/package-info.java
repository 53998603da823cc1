/**
 * The data plane that clients of a sandbox speak: processes and files as Connect RPC in JSON, file
 * contents and health as plain HTTP, translated to operations of the sandbox's agent.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.envd.EnvdApplication} is mounted at an internal prefix;
 * only the gateway leads there, and it leads only requests of a live sandbox whose token was
 * checked. {@code process.Process} lists, starts, attaches, writes, signals, resizes; {@code
 * filesystem.Filesystem} looks, lists, makes, moves, removes and watches; {@code /files} reads and
 * writes contents; {@code /health}, {@code /metrics}, {@code /envs} tell how the sandbox is. {@link
 * dev.holdfast.envd.InterpreterApplication}, another port to clients, runs code and answers line by
 * line, and keeps its contexts.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Every stream of messages ends with an end-of-stream envelope or with a reset, never with a
 *       polite end alone: clients take that for a broken server.
 *   <li>No stream, upload, download or wait holds a thread. A caller that does not read or does not
 *       send costs its buffers, and those are bounded.
 *   <li>The sandbox is given credit for what has left for the client, not for what has come from
 *       the sandbox: its pace is the client's pace. The other way round an upload is read as fast
 *       as the sandbox takes it.
 *   <li>A client that leaves does not end its process. Only the deadline of the call that started
 *       it does, its whole group then.
 *   <li>A stream that is open while its sandbox is captured goes on without loss or repetition: the
 *       agent is only silent for a moment, and nothing here looks at the clock in between.
 *   <li>A watcher that is asked for its events answers with everything that had happened when it
 *       was asked. What the watchers of a sandbox keep together is bounded, and that of all; beyond
 *       it the agent is given no more credit, and in the end it is said that events were lost. A
 *       sandbox has a little of its own there, whatever those of others keep.
 *   <li>A body that stalls is given up: an upload after 60 s of silence, a message that is not
 *       complete after 60 s. A stream of input may be silent, since it has a deadline of its own.
 *   <li>What a caller sends is bounded: a message's envelope, a unary's JSON, a form's parts and
 *       their headers, gzip by pulling only as much as is asked for. Numbers are read from their
 *       digits.
 *   <li>A client that leaves interrupts the code that it runs; a sandbox that ends resets the
 *       answer, since its clients then ask whether the sandbox runs. Lines are ASCII, because one
 *       client decodes each piece that it receives by itself.
 *   <li>What a sandbox wrote never runs as a page of our host: contents come as attachments.
 * </ul>
 *
 * <p><b>Races.</b> A start may be answered after its deadline or after the sandbox's end: whoever
 * completes the start first decides, and the loser lets go of the process. The end of a process,
 * the client's leaving, the deadline and the sandbox's end all close a {@link
 * dev.holdfast.envd.CommandStream}; closing is once. In {@link dev.holdfast.gateway.EventStream}
 * one write is under way at a time, and {@link dev.holdfast.envd.IncomingFiles} lets one thread in
 * at a time, whichever of client and sandbox woke it.
 *
 * <p><b>Out of scope.</b> Tokens, routing and CORS ({@code gateway}); what a path or a user means
 * (the agent, inside the sandbox); signatures of addresses ({@code gateway}); what interprets code
 * (programs beside the agent).
 *
 * <p><b>Decisions.</b> Errors of a stream come inside it at status 200, because clients do not read
 * the body of any other; an unknown user (401) and a sandbox that is gone (502) keep their status,
 * which clients do read. A missing disk is 507 on {@code /files} and {@code failed_precondition} on
 * the RPCs, where the fitting code would be shown as a rate limit. Contents are compressed only
 * when their first piece becomes a fifth smaller: SDKs always say that they take gzip, and noise
 * costs more time to compress than to send. An answer that comes before the request has ended is
 * flushed by hand, because the container reads the request to its end first. The room is larger
 * than a room should be: the codecs ({@code Envelope}, {@code MultipartReader}, {@code GzipReader})
 * are kept here because nobody else speaks them.
 */
package dev.holdfast.envd;
