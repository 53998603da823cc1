/**
 * The workers there are: what each one offers, how long its lease lasts, and which one takes the
 * next sandbox.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.fleet.Workers}: begin, give up, drain. {@link
 * dev.holdfast.fleet.Renewals}: go on. {@link dev.holdfast.fleet.Vacancies}: take a place. {@link
 * dev.holdfast.fleet.Publications}: which builds and images were published, and whether anybody
 * needs them. {@link dev.holdfast.fleet.ServerStates}: what the server says of its own stop.
 *
 * <p><b>Facts that must hold.</b> A worker whose lease is over, that lacks something or that is
 * being drained gets no new work, and the refusal says exactly what is missing. None gets more
 * sandboxes than it may, however many ask at once: its places are taken under a lock of its own,
 * which holds until the row of the sandbox is committed. Only where a node has died in between, and
 * holds the lock until it is back, may a worker get one too many. What it lacks for the first
 * generation alone keeps only sandboxes of that one away. A build or an image is removed from the
 * store only under the lock of its row, which whoever publishes it takes first.
 *
 * <p><b>Why a worker is picked.</b> A start or a restore is a message to one worker, since a
 * message that any of them took could come to one that cannot: without the runtime that the image
 * needs, without the volume, full or drained. So whoever asks names one that fits: the one that has
 * the image at hand, else the one with the fewest sandboxes, under an advisory lock so that two who
 * ask at once see each other's. That is no scheduler: nothing waits in a queue of ours, nothing is
 * placed by weight or price, and nothing is moved afterwards to even it out. Who finds no room is
 * told so at once and asks again.
 *
 * <p>A name has one holder. Whoever takes it gets a number, and renews under that: an earlier
 * holder is told that it is none any more. What a worker ran is given up under the lock of its row,
 * and from then on its renewals are refused until it begins anew, with nothing: so a sandbox that
 * ended as lost is never found running again. A worker that cannot ask has to have ended its
 * sandboxes before that ({@link dev.holdfast.fleet.FleetConfig#tenure}), unless it is alone. None
 * is given up that was not missed for a while before: when the database's clock has leapt, whoever
 * lives renews meanwhile.
 *
 * <p>A process of the same installation takes a name at once, since two of them cannot run beside
 * each other; one of another only when the lease is over.
 *
 * <p><b>Out of scope.</b> The machines of a worker: room {@code worker}. What this node is there
 * for: room {@code role}.
 */
package dev.holdfast.fleet;
