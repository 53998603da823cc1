/**
 * The gateway: which sandbox and which of its ports a request means, and the way there.
 *
 * <p><b>Operations.</b> Every request of the server passes {@link
 * dev.holdfast.gateway.GatewayHandler} before any servlet. {@link dev.holdfast.gateway.Router}
 * decides: the control plane (the request goes on untouched), a sandbox's port, or a refusal. Port
 * 49983 goes to the {@code envd} room, mounted below {@link
 * dev.holdfast.gateway.Gateway#ENVD_PREFIX}; port 49999, the code interpreter, likewise below
 * {@link dev.holdfast.gateway.Gateway#INTERPRETER_PREFIX}; every other port goes through {@link
 * dev.holdfast.gateway.PortProxy} over the sandbox's network.
 *
 * <p><b>Across nodes.</b> A sandbox that is not live here and runs on a worker that says where it
 * is reached is answered for there ({@link dev.holdfast.gateway.Across}, room {@code hop}): the
 * request goes on as it came, before anything was checked or read of it. The same holds for what
 * the native API is asked of the inside of a session or a volume ({@link
 * dev.holdfast.gateway.Errand}), and for what E2B's clients ask of a volume's content. These are
 * known by their paths, because a resource has its caller's body read and its answer begun; where
 * no other node is known, they are answered here, with the reason. A paused sandbox is woken by the
 * node that was asked, and the request goes to wherever it then runs.
 *
 * <p>A signed file address that names no sandbox is compared with the sandboxes that run here, and
 * then with those of the other nodes ({@link dev.holdfast.gateway.Signers}), of which the newest
 * 10,000 are looked at.
 *
 * <p>A node without the control role answers other nodes, and to others only {@code /health}. One
 * that is about to stop, where others stand in, is not ready and ends each connection with its
 * answer before the server refuses anybody ({@link dev.holdfast.gateway.Farewell}).
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>On the port of the code interpreter the access token of a secured sandbox is demanded where
 *       code is run ({@link dev.holdfast.gateway.Visit#isProved}), and not for its contexts: its
 *       clients send it nowhere else. Private traffic demands its own token for all of it.
 *   <li>A sandbox that is gone, paused or unknown answers 502 before any token is looked at, so
 *       that a client of a dead sandbox learns that it is dead and not that its token is wrong.
 *       Only who shows the token of a sandbox whose project is closed is told that, with 403.
 *   <li>A sandbox stops being live here when its row has ended, and not when its machine has: from
 *       the moment that a project is closed, no token and no signature of its sandboxes is taken.
 *   <li>Nothing from outside reaches the internal prefix by naming it: the prefix is refused on the
 *       decoded and on the raw path, and the envd room refuses requests that carry no sandbox.
 *   <li>What the operator, a person or an SDK proves to Holdfast (keys, tokens, cookies) never goes
 *       into a sandbox: user ports are hostile sites.
 *   <li>A signed file address that names no sandbox costs one or two blocks of SHA-256 for each
 *       live sandbox, however long its path is; what is malformed costs nothing. The sandboxes of
 *       other nodes are looked at by one thread, with one query for all who ask meanwhile, of whom
 *       256 may wait.
 *   <li>Traffic for a paused sandbox that is to wake of it waits, without a thread, until the
 *       sandbox runs; only a request with the token that the sandbox would demand wakes it. A
 *       request for a sandbox that is not live here costs one look at its row, unless it was just
 *       seen on another node.
 *   <li>A message that is not complete after a minute is given up, and while it comes it holds no
 *       thread.
 *   <li>No I/O thread blocks: the lookup is a map in memory, tokens are computed, connecting and
 *       copying are asynchronous, and nothing is buffered beyond one pooled buffer each way.
 *   <li>What waits for clients that do not read is bounded for each stream and in all ({@link
 *       dev.holdfast.gateway.WaitingRoom}). Where there is no room, the stream that has the most
 *       waiting ends: it says {@code reader_too_slow} where its kind can say something, and is
 *       reset where it cannot, or where that is not read either.
 *   <li>When a sandbox stops being live, what is open to it is reset, not ended politely: a polite
 *       end of a chunked body would tell the client that it has everything.
 * </ul>
 *
 * <p><b>Connections and captures.</b> A checkpoint resets what a program has open, in the source
 * too, and no gateway could hide that: half of each connection's state is in the program. So a
 * connection to a user port ends with a capture, by a reset and never by a polite end; a client
 * that connects again finds the program where it was. Streams of envd go on.
 *
 * <p><b>Known.</b> Over HTTP/1.1 the server does not read while it answers: a caller who leaves a
 * program that is silent is noticed when the program speaks next, and counts until then.
 *
 * <p><b>TLS.</b> {@link dev.holdfast.gateway.ServerCertificate} makes the key store ready before
 * the server starts, and the server's own listener does the rest. Our own certificate is signed by
 * an authority, and not by itself: clients trust one file for good, while the certificate is
 * renewed or made for another domain. The JDK's keytool makes both.
 *
 * <p><b>Races.</b> A sandbox may leave between the lookup and the registration of an open exchange:
 * {@link dev.holdfast.gateway.Departures} registers first and then looks whether the sandbox has
 * left, so one of the two sides sees the other. A connection that opens after its deadline is
 * closed by whoever loses the compare-and-set.
 *
 * <p><b>Out of scope.</b> API keys and permissions ({@code access}); what envd answers ({@code
 * envd}); how a paused sandbox goes on ({@code restore}).
 *
 * <p><b>Decisions.</b> One connection to the sandbox for each exchange: a connection over the veth
 * costs a tenth of a millisecond, and a pool would have to know of captures and of clones that
 * share addresses over time. Set-Cookie is dropped from answers that were routed by header, because
 * those share the control plane's host name; for the same reason the whole Cookie header is dropped
 * on the way in. The left-most label of any host name is believed: whoever can name a sandbox still
 * needs its token, and so no list of own domains has to be kept right.
 */
package dev.holdfast.gateway;
