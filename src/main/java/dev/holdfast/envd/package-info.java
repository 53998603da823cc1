/**
 * The data plane that clients of a sandbox speak: processes and files as Connect RPC in JSON, file
 * contents and health as plain HTTP, translated to operations of the sandbox's agent.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.envd.EnvdApplication} is mounted at an internal prefix;
 * only the gateway leads there, and it leads only requests of a live sandbox whose token was
 * checked. {@code process.Process} lists, starts, attaches, writes, signals, resizes; {@code
 * filesystem.Filesystem} looks, lists, makes, moves, removes; {@code /files} reads and writes
 * contents; {@code /health}, {@code /metrics}, {@code /envs} tell how the sandbox is.
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
 *   <li>What a caller sends is bounded: a message's envelope, a unary's JSON, a form's parts and
 *       their headers, gzip by pulling only as much as is asked for. Numbers are read from their
 *       digits.
 *   <li>What a sandbox wrote never runs as a page of our host: contents come as attachments.
 * </ul>
 *
 * <p><b>Races.</b> A start may be answered after its deadline or after the sandbox's end: whoever
 * completes the start first decides, and the loser lets go of the process. The end of a process,
 * the client's leaving, the deadline and the sandbox's end all close a {@link
 * dev.holdfast.envd.CommandStream}; closing is once. In {@link dev.holdfast.envd.EventStream} one
 * write is under way at a time, and {@link dev.holdfast.envd.IncomingFiles} lets one thread in at a
 * time, whichever of client and sandbox woke it.
 *
 * <p><b>Out of scope.</b> Tokens, routing and CORS ({@code gateway}); what a path or a user means
 * (the agent, inside the sandbox); signed addresses, watching directories, file metadata and the
 * code interpreter, which are refused by name.
 *
 * <p><b>Decisions.</b> Errors of a stream come inside it at status 200, because clients do not read
 * the body of any other; an unknown user (401) and a sandbox that is gone (502) keep their status,
 * which clients do read. A missing disk is 507 on {@code /files} and {@code failed_precondition} on
 * the RPCs, where the fitting code would be shown as a rate limit. The room is larger than a room
 * should be: the codecs ({@code Envelope}, {@code MultipartReader}, {@code GzipReader}) are kept
 * here because nobody else speaks them.
 */
package dev.holdfast.envd;
