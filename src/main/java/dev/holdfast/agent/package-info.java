/**
 * Our side of the in-sandbox agent: the channel, its frames, typed operations.
 *
 * <p><b>Purpose.</b> A Python program is process 1 of every sandbox (`src/main/sandbox/agent`); it
 * starts processes and moves files. This room speaks with it over two FIFOs and offers what it can
 * as typed, asynchronous operations. It is a port: it knows no other room, no runtime and no
 * outside protocol.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.agent.AgentChannel#open} on the FIFOs of a sandbox,
 * {@code connect}, {@code quiesce} and {@code resume} around a checkpoint, {@code close};
 * everything else is in {@link dev.holdfast.agent.Agent}. {@link dev.holdfast.agent.Probe} looks
 * into a sandbox by a program that it brings along, and needs of the agent only that it starts one.
 *
 * <h2>The wire</h2>
 *
 * <p>A frame is a header of 26 bytes, all numbers big-endian, and a payload of at most 32 KiB:
 *
 * <pre>
 *  0 magic           FE 48 46 1A
 *  4 format, kind    high four bits: 1; low four bits: the kind
 *  5 flags           1 MORE: this JSON goes on in the next frame of the kind and stream; 2 LAST: no data follows in this direction
 *  6 stream          0: the channel itself
 * 10 sequence        per direction, 0 at hello and hello-ack of the agent, wraps
 * 14 length          of the payload
 * 18 crc32           of the payload
 * 22 crc32           of the 22 bytes before
 *
 *  1 hello      to agent    JSON {incarnation, versions: [least, most], max}, behind a filler
 *  2 hello-ack  from agent  JSON {incarnation, version, versions, pid, kernel, sandbox, processes} or {.., refused}, behind a filler
 *  3 request    to agent    JSON {op, ...}; opens the stream; MORE allowed, 1 MiB in all; stream numbers only grow
 *  4 accept     from agent  JSON, at most once, before any data
 *  5 data       both        one byte of sub-channel (0 body, 1 stdout, 2 stderr, 3 terminal), then the bytes; LAST ends an upload
 *  6 end        from agent  JSON: it succeeded; closes the stream
 *  7 error      from agent  JSON {code, message}: it did not; closes the stream. On stream 0: the channel is given up
 *  8 credit     both        4 bytes: so many more bytes of data may be sent on this stream; both sides begin with 256 KiB
 *  9 cancel     to agent    nobody is interested any more; closes the stream without an answer
 * 10 quiesce    to agent    11 quiesced  from agent  JSON {sequence}, its last frame    12 resume  to agent
 * 13 ping       to agent    14 pong      from agent  with the payload of the ping
 * </pre>
 *
 * <p>A filler is 32 KiB + 26 zero bytes: it completes whatever frame a predecessor left
 * half-written, and the parser then looks for a frame from the second byte of the failed one on.
 *
 * <table>
 * <caption>Operations: request, accept, data, end</caption>
 * <tr><td>process.start<td>cmd, args, env, cwd, user, stdin, tag, pty {cols, rows}<td>pid<td>output<td>exitCode or signal
 * <tr><td>process.attach<td>pid or tag<td>pid<td>output from now on<td>exitCode or signal
 * <tr><td>process.input<td>pid or tag, pty<td><td>to the process<td>{} when its pipe took all
 * <tr><td>process.list<td><td>size<td>a JSON object per line<td>{}
 * <tr><td>process.closeStdin, .signal, .resize<td>pid or tag; signal, group; cols, rows<td><td><td>{}
 * <tr><td>file.stat, .makeDir, .move<td>path or source, destination; user<td><td><td>entry
 * <tr><td>file.list<td>path, user, depth, limit<td>size<td>an entry per line<td>{}
 * <tr><td>file.read<td>path, user, offset, length<td>size, length<td>content<td>{}
 * <tr><td>file.write<td>path, user, metadata<td>{}<td>content to the file<td>entry
 * <tr><td>file.watch<td>path, user, recursive, entries<td>{}<td>an event per line; a byte to the agent asks for a mark<td>
 * <tr><td>file.remove<td>path, user<td><td><td>{}
 * <tr><td>context.create<td>language, cwd<td><td><td>id, language, cwd, busy
 * <tr><td>context.list<td><td>size<td>a context per line<td>{}
 * <tr><td>context.execute<td>context or language, env<td>context<td>the code to the agent; output, and an event per line<td>{}
 * <tr><td>context.interrupt, .restart, .remove<td>context<td><td><td>{}
 * <tr><td>context.complete<td>context, code, cursor<td><td><td>matches, from, to
 * <tr><td>context.variables<td>context<td>size<td>a variable per line<td>{}
 * <tr><td>identify<td>sandbox, hostname, machine, env, processes, now<td><td><td>done, failed, clockSkewMillis
 * <tr><td>environment, usage<td>env, processes<td><td><td>{} or figures
 * </table>
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Nothing is lost in silence: after hello a missing, repeated or damaged frame ends the
 *       channel, on whichever side saw it.
 *   <li>Frames of a former incarnation are never taken for the present one: here everything before
 *       the answer with our random incarnation is ignored; the agent takes a hello only behind a
 *       whole filler, which no payload can contain.
 *   <li>One slow reader holds up nobody but what it reads: data needs credit, control frames go
 *       first, streams take turns. A process with several followers goes at the pace of the
 *       slowest, who is cut off ({@code resource_exhausted}) when he holds up waiting output and
 *       returns no credit for 30 s. Without followers output is read and dropped.
 *   <li>Between the answer to quiesce and resume neither side writes; what was asked meanwhile
 *       waits and goes out afterwards in order. So a checkpoint finds both FIFOs at the border of a
 *       frame; in the source every stream goes on, in a clone the hello of the new channel drops
 *       them. Processes live on in both.
 *   <li>A watch tells each thing once and nothing is missing between its accept and its end. What a
 *       directory got before it was watched is found by listing it afterwards, and what both tell
 *       is told once. When events are lost, because nobody reads them or too much happens at once,
 *       the watch ends and says so.
 *   <li>Metadata of a file are extended attributes {@code user.e2b.*}: they go where the file goes,
 *       also into a snapshot, and every write replaces all of them.
 *   <li>A process is ended by its end, by a signal or with its sandbox, never by a follower or a
 *       channel that leaves.
 *   <li>A context is one process of the ordinary user, started by the agent when code comes for it,
 *       and again when it has gone; so a checkpoint holds it with all its names. Code of a context
 *       runs one after the other. A follower that leaves interrupts his code, for nobody else waits
 *       for it; one that is dropped by a new channel does not, or a clone would lose what its
 *       source was doing. What an interpreter says is bounded and waits in its own writes while its
 *       reader has no room; one that says what is no frame is ended.
 *   <li>The agent is hostile: numbers are read by their digits, data beyond credit or bytes that
 *       are no frame end the channel, unknown streams are ignored, and nothing thrown escapes a
 *       thread.
 *   <li>An answer that does not come in time ({@link dev.holdfast.agent.Patience}) is given up as
 *       {@code deadline}: whoever asked is told so, the channel lives, and what comes later meets
 *       nobody. What streams, either way, has no such bound.
 *   <li>What an operation may tell has a {@link dev.holdfast.agent.Bound}: lines, bytes of a text,
 *       values in it, bytes that are held. Past it the operation ends as {@code too_large}, and the
 *       channel lives.
 *   <li>Whoever holds what an agent said, or what it has not taken yet, has taken its bytes of a
 *       {@link dev.holdfast.agent.Room} before: the stream's, within the sandbox's, within the
 *       server's. Where there is none left the operation ends in the same way, so neither a
 *       thousand streams nor a hundred sandboxes fill the memory. A sandbox has a little of its own
 *       whatever the others hold, so that a few that fill the server's room do not silence it. A
 *       stream's room is given back behind its listener's last turn; content that waits for a
 *       reader has one of its own.
 * </ul>
 *
 * <p><b>Threads and races.</b> Two platform threads per channel, one reading, one writing; FIFOs
 * offer nothing asynchronous. One lock guards the state of a channel and its streams; events leave
 * through a mailbox per stream on the given executor, which must not run them in the calling
 * thread. The races that were thought of: a cancel meets an end on its way (stream numbers are used
 * once, late frames meet nobody); a resume overtakes a quiesce that was not written yet (both are
 * dropped), or follows one whose answer was given up (late answers are counted, not matched); a
 * close meets a blocked read or write (closing the FIFO wakes both; interrupting is never used,
 * because it would close it too); the writer hangs because the agent does not read (a deadline ends
 * the channel).
 *
 * <p><b>Out of scope.</b> Starting the sandbox and making the FIFOs (runtime), users and tokens of
 * the outside (envd, access), reconnecting after a failure (whoever owns the sandbox opens another
 * channel).
 *
 * <p><b>Decisions.</b> FIFOs rather than sockets: they survive checkpoint, restore and restarts of
 * the server, and need no network. Opened read-write on both sides, so that neither ever sees an
 * end of file. No replay of lost frames: a restarted server could not know what its predecessor had
 * passed on, so streams end as {@code unavailable} and processes are attached anew. The agent keeps
 * to one thread and few imports, because it starts with every sandbox. Credit is counted in bytes
 * of data only; control frames are caused by requests and bounded with them. More than fifteen
 * types, because the room keeps the records of two small vocabularies, processes and files, beside
 * the channel that both need.
 */
package dev.holdfast.agent;
