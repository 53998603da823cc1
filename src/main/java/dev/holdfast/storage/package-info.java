/**
 * Stored objects and manifests, and their checked copies on a worker.
 *
 * <p><b>Purpose.</b> Keeps what a snapshot is made of: parts (the runtime's image files, compressed
 * and digested), the manifest that lists them, what was changed since it was written (amendments),
 * and the blobs that many snapshots share (templates, runtime builds). Gives them back only after
 * every byte was checked.
 *
 * <p><b>Operations.</b>
 *
 * <ul>
 *   <li>{@link dev.holdfast.storage.ObjectStore}: the port to a disk or a bucket; {@link
 *       dev.holdfast.storage.DirectoryStore} is the one on a disk, {@link
 *       dev.holdfast.storage.S3Store} the one in a bucket. What both do is one suite of tests.
 *   <li>{@link dev.holdfast.storage.Parts}: file to part (seal), part to file (fetch), check
 *       (verify, for the scrub).
 *   <li>{@link dev.holdfast.storage.Manifests}: save and find {@link
 *       dev.holdfast.storage.Manifest}s.
 *   <li>{@link dev.holdfast.storage.Amendments}: save and find {@link
 *       dev.holdfast.storage.Amendment}s, beside the manifest that they amend.
 *   <li>{@link dev.holdfast.storage.ImageCache}: raw images ready to restore from, under leases.
 *   <li>{@link dev.holdfast.storage.BlobCache}: publish a file under its digest, require it by
 *       digest.
 * </ul>
 *
 * <p><b>Layout of the store.</b> {@code snapshots/<uuid>/<file>}, {@code
 * snapshots/<uuid>/manifest.json}, {@code snapshots/<uuid>/amendment-<number>.json}, {@code
 * templates/<sha256>.squashfs}, {@code runtimes/<sha256>}; on a disk also {@code .incoming/}, the
 * uploads in progress; in a bucket also {@code .holdfast}, the mark by which {@link
 * dev.holdfast.storage.StoreCheck} finds out whether it can be overwritten.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>An object is whole and durable before it is visible, and never changes afterwards.
 *   <li>A manifest in the store names only parts that were in the store when it was written.
 *   <li>Of a snapshot's amendments the highest that is whole holds, and says all that was changed.
 *       One that is torn is noticed by its digest and passed over; without any the manifest rules.
 *   <li>No file has its final name before stored and raw length and digest were found right; a
 *       stored frame can make neither more bytes nor use more memory than its part allows.
 *   <li>A leased directory is never evicted; what is leased was checked in this process's life and
 *       looks the same since.
 *   <li>Everything is readable by the service only, from the moment it exists: memory holds
 *       secrets.
 *   <li>Memory is flat: nothing but manifests is read whole, and those are bounded. An upload into
 *       a bucket keeps one part of 16 MiB, to send it again.
 *   <li>Nothing waits for a bucket without end: connecting, silence, each attempt, their number and
 *       all of them together have a limit, and so has how often a reading goes on.
 * </ul>
 *
 * <p><b>Order.</b> Durable parts, then the manifest, then the database row. Deleting goes the other
 * way round: row marked, manifest, parts, row. An amendment follows its row: first the change is
 * committed, then it is stored.
 *
 * <p><b>Races, and who wins.</b>
 *
 * <ul>
 *   <li>Two puts of one key: the first link wins, or the first conditional write; the same content
 *       satisfies both, other content is refused to the second.
 *   <li>A put and its own repetition, when a bucket's answer was lost: the second is refused, looks
 *       at what is there and finds its own content.
 *   <li>A put and a delete that removes the emptied directory: the put makes it again.
 *   <li>A put and a delete of the same object: both succeed, whichever comes last.
 *   <li>A put and the sweep of leftovers: an upload that stalled past the grace time fails at its
 *       commit and leaves nothing. In a bucket each part that arrives touches it.
 *   <li>A reading and a delete of the same object: on a disk the reading goes to its end; in a
 *       bucket too, unless it breaks off and finds nothing to go on with.
 *   <li>A listing and deletes: what vanishes meanwhile is passed over. So whoever sweeps orphans
 *       must ask for the row after the listing, not before.
 *   <li>Two amendments of one snapshot: the higher number, whoever is first. The lower one, even if
 *       it comes after, is removed by its own writer.
 *   <li>An amendment and the removal of its snapshot: without a manifest none is begun; one that
 *       was begun before is removed by its writer, who asks for the row again afterwards. If that
 *       one dies in between, it is an orphan like any other.
 *   <li>Twenty restores of one snapshot: one fetches, the others wait for it and share its outcome;
 *       a failure is not remembered; if the one who works is interrupted, another takes over.
 *   <li>An adoption and a fetch of the same snapshot: whoever is in the table first stays; the
 *       adopted directory is dropped, because the store has the same bytes.
 *   <li>A forget under a lease: takes effect when the last lease closes. An eviction never competes
 *       with a lease, because both need the cache's monitor.
 * </ul>
 *
 * <p><b>Out of scope.</b> Which snapshots exist and whether they may be restored ({@code
 * snapshot}); quota; when to sweep, scrub or delete ({@code expiry}); what the files mean ({@code
 * runtime}). This is a port: it knows no other room.
 *
 * <p><b>Decisions.</b>
 *
 * <ul>
 *   <li>Objects get their name by a hard link, not by a rename: a rename would silently replace. In
 *       a bucket they get it by a write that is refused where there is one ({@code If-None-Match}).
 *       A look before the write would leave a gap, so a bucket that does not heed it is no store:
 *       the readiness check tries it, once with an object of several parts too.
 *   <li>What is sent to a bucket whole has its digest in its head, so that the same content is told
 *       without reading it. The head of an object of several parts is sent before its content is
 *       known; there the lengths are compared and, if they are the same, the bytes. That happens
 *       when a put is repeated, which is rare.
 *   <li>Each request carries the MD5 of its body, which every S3 server compares with what arrived.
 *       What comes back is not checked here a second time: whoever reads has the SHA-256 of what it
 *       wants.
 *   <li>All parts but the last have one size, because some servers want it so: 16 MiB, so 10,000 of
 *       them are the most that an object has. They are sent one after the other: a second one in
 *       the air would double the memory of each upload.
 *   <li>The bucket's client is Amazon's, over the connections of the JDK: signing, errors, retries
 *       and where keys come from are known to who runs such a bucket. It makes no checksums of its
 *       own, because not every server takes them.
 *   <li>Each amendment is an object of its own, numbered, and not one object that is written over:
 *       so objects still never change, a bucket never has to compare and set, and a writer that was
 *       held up cannot undo a newer change. Usually there is one, because the next removes the
 *       last.
 *   <li>Uploads share one directory, so that finding leftovers does not mean walking the store.
 *   <li>zstd level 1: on a restore the disk is slower than the decoder, and on a capture the
 *       compressor is slower than the disk. Noise is stored as it is, judged by samples.
 *   <li>Two digests for each part: the stored one lets a scrub and a bucket check without decoding,
 *       the raw one is what a restore depends on.
 *   <li>Local copies are not forced to the disk. After a crash they are digested before their next
 *       use anyway, and the store has them.
 *   <li>The cache limit is soft: leased images may exceed it, because a running restore is worth
 *       more than the limit.
 *   <li>JSON of manifests is written member by member and without spaces: the same manifest is the
 *       same bytes, so saving one twice is a no-op.
 * </ul>
 */
package dev.holdfast.storage;
