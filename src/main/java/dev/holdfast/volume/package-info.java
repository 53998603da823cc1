/**
 * Volumes: named directories of a project that are mounted into sandboxes and outlive them.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.volume.Volumes}: create, find, list, change, delete.
 * {@link dev.holdfast.volume.Bindings}: which mounts a new sandbox gets, which worker has them.
 * {@link dev.holdfast.volume.Mountings}: which sandboxes and snapshots have to do with one. {@link
 * dev.holdfast.volume.Homes}: which worker gets a new one, and whether that is heard of.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>What is in a volume is part of no snapshot. A restore mounts the same volumes, known by
 *       their IDs, with what is in them then; nothing can be mounted otherwise than the snapshot
 *       says. A volume of another project is never found.
 *   <li>A volume that a sandbox mounts is not deleted: whoever makes a sandbox locks the rows of
 *       its volumes until its own row is there, and a deletion locks the row before it looks. Of
 *       the two that meet, one sees the other. A paused sandbox counts, and so does one that is
 *       about to go on from a saved state.
 *   <li>Snapshots do not hold a volume. Its deletion says which name it ({@link
 *       dev.holdfast.volume.Usage}), and their verdict says afterwards that it is gone; one of the
 *       same name is another volume, and is never mounted in its place.
 *   <li>What the limits of a project's volumes come to is bounded: so much is promised, whatever is
 *       in them. One that is deleted counts until its file has gone.
 *   <li>No worker is promised more than its disk has: a volume is made, and its limit raised, when
 *       the room that its worker told of, less what is promised and not taken yet, is enough. The
 *       worker's row is locked while that is asked. What the disk loses to others afterwards is
 *       seen when the file is made, and refused then.
 *   <li>A new volume goes to a worker that is heard of and takes sandboxes. Of one whose worker is
 *       not heard of, everything that needs its file is refused until it is back.
 * </ul>
 *
 * <p><b>Out of scope.</b> Files, file systems, who reads what is in one: room {@code drive}.
 *
 * <p><b>Decisions.</b> A volume belongs to the worker that has its file, because a file system can
 * be mounted by one host at a time; sandboxes with it run there, and verdicts say so. Its limit is
 * the size of its file system, which holds against whatever runs in a sandbox and needs no counting
 * of ours. It can be raised while nobody has it mounted, and is not lowered: to move what is in it
 * aside would take as long as it likes. Two mounts of a sandbox never overlap and never show one
 * volume twice.
 */
package dev.holdfast.volume;
