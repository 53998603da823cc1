/**
 * From node to node: the one step that a request takes when the sandbox or the volume that it is
 * about is on another node than the one it came to.
 *
 * <p><b>Words.</b> A <i>hop</i> is that step. A <i>peer</i> is the node at its other end, a
 * <i>wire</i> the connections to it. A <i>relay</i> is one exchange under way.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.hop.Reach} tells the other nodes where this one is
 * reached and which certificate it shows there. {@link dev.holdfast.hop.Peers}: which node has what
 * is asked for. {@link dev.holdfast.hop.Wires}: passes an exchange on. {@link
 * dev.holdfast.hop.Hops}: seals what goes out and opens what comes in.
 *
 * <p><b>How two nodes know each other.</b> By the database, and by nothing else. A worker writes
 * its address and the SHA-256 of its certificate into its row; who calls it speaks TLS and takes
 * exactly that certificate, whoever signed it, for whatever name. The caller proves itself by the
 * header {@code Holdfast-Hop}:
 *
 * <pre>1;NODE;SECONDS;CLIENT;SCHEME;HMAC</pre>
 *
 * <p>The HMAC-SHA256, under a key derived from the secret that all nodes share, is over these
 * fields and the worker's ID, the method and the undecoded target. SECONDS is the caller's time;
 * CLIENT and SCHEME are how the request reached the caller.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>One step at most: a request with a good header is answered by the node it came to, also
 *       with the answer that the sandbox is not there.
 *   <li>The header goes no further: it is taken out of every request, good or not, and a request
 *       with one that is not good is refused, with 403. Were it taken for a client's, two nodes
 *       whose clocks differ would pass it to and fro.
 *   <li>A hop gives no right. What it lets a node say is the client's address and that the request
 *       is to go no further; keys, tokens, signatures and cookies are looked at where the request
 *       is answered, and are the client's own.
 *   <li>So one who could read and repeat a header within half a minute would have the same request
 *       of the same address once more in the record, and needs that request's own proof for it,
 *       with which he could ask without any header. For that nothing is remembered and no number is
 *       used once: a list of them would have to be kept by every worker.
 *   <li>What a client sees is what the other node says: status, headers, chunks as they come, the
 *       continuation and the refusal of a body, an upgrade. An answer that is cut there is reset
 *       here, and never ended politely.
 *   <li>No thread waits: a relay lives on its exchange's I/O thread, with one pooled buffer each
 *       way, and reads no faster than the other side takes.
 *   <li>Nothing is sent before the certificate was seen. A connection that is not there after 3 s
 *       is given up: {@code worker_unreachable}, with 503. So is one to a worker whose lease is
 *       over, at once.
 *   <li>What is under way to a worker ends when its lease is over, without a sign of the worker
 *       itself: a host that has lost its power resets nothing. So does what is under way to a
 *       place, or to who shows a certificate, that its row names no longer. It is seen within ten
 *       seconds, of all workers by one query every five, and of none while the database is away.
 *   <li>To one worker at most 4,096 connections of a node are in use, and 16 of each I/O thread
 *       wait for use, for 15 s. A sandbox or a volume has no more of them than are left for all
 *       others; what is past that is refused, {@code rate_limited}, with 429.
 *   <li>A node that knows of no other asks for one every three seconds at most, however much it is
 *       asked for what could be there.
 *   <li>Where a sandbox is costs a query for the first request and none for those of the next 3 s;
 *       an event of the sandbox, and a worker that says it is elsewhere, end that early.
 *   <li>After an answer has begun, no request is sent a second time; neither is one whose body has.
 * </ul>
 *
 * <p><b>Out of scope.</b> What is passed on and how refusals look: room {@code gateway}. Whether a
 * worker renews its lease: room {@code fleet}.
 *
 * <p><b>Decisions.</b> A certificate in a row and no authority of the installation's own: the row
 * is what all nodes believe anyway, and an authority would be a second secret to keep, to hand out
 * and to renew. The lease and not keep-alive of the connections tells that a worker is gone: it is
 * what all else goes by, and a connection of which nobody can say more stays open meanwhile. A
 * share that is what others have left, and no fixed one: with that a few together would take all.
 * HTTP/1.1 between nodes, also for clients that speak HTTP/2: a stream has a connection to itself,
 * so no slow reader stands before another, and an upgrade needs one. Our own relay and not the
 * proxy of the server's library, which writes the forwarding headers anew, sends the head of a body
 * late and ends what is cut politely.
 */
package dev.holdfast.hop;
