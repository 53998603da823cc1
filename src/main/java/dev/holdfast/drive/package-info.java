/**
 * The file systems of this worker's volumes and what is in them.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.drive.Drives}: what a machine shares with the host for
 * its mounts, how full a volume is, the removal of deleted ones. {@link dev.holdfast.drive.Shelves}
 * looks, {@link dev.holdfast.drive.Moves} changes, {@link dev.holdfast.drive.Transfers} hands files
 * in and out, all past any sandbox and also while sandboxes use the same files.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>What sandboxes put on a volume is hostile to the server that reads it. The kernel follows
 *       no link on it and opens no device ({@code VolumeDisks}), a {@link
 *       dev.holdfast.drive.DrivePath} leads only downwards, and what is opened is read at places,
 *       which pipes do not have; so nothing read or written here is ever outside the volume,
 *       whatever is renamed meanwhile, and nothing waits for a sandbox.
 *   <li>Names are bytes. How the server's locale would read them does not matter.
 *   <li>A directory's page is read with memory for the page, a directory with too many names is
 *       refused, and a tree is removed by a rename first and by a program of its own afterwards.
 *   <li>A file that comes in is whole or not there, and so is what it replaces.
 *   <li>A volume's file is made when it is first needed and never again: one that is gone is a loss
 *       that is told, not an empty volume.
 *   <li>A file system is taken away from nobody ({@code Gate}): who lists, transfers, changes or
 *       has a machine made is on the volume until done, many at once; who makes it larger or
 *       removes its file is there alone. A growth that waits in vain changes nothing and is {@code
 *       volume_busy}; so is, after a while, who waits for a growth. A deletion is done when its row
 *       is: who then comes finds nothing, an upload that was under way is told so, and the file
 *       goes when the last has left.
 *   <li>The row of a volume that grows is changed first, and its file after it. What a crash leaves
 *       in between is a file that is shorter than its row says or has a mark beside it; whoever
 *       comes next finishes that before it is mounted.
 *   <li>A volume's file has all its blocks from the beginning. So nothing that is written on a
 *       volume, from a sandbox or from here, needs room on the worker's disk, and neither a full
 *       disk nor other volumes can damage it. A file is neither made nor grows into the reserve of
 *       the disk, whatever its row was promised.
 * </ul>
 *
 * <p>Who asks another node for what is in a volume is sent on by room {@code gateway}; {@code
 * volume_elsewhere} is the answer where that node is not to be reached.
 *
 * <p><b>Out of scope.</b> Which volumes there are and who may have them: room {@code volume}. Loop
 * devices, images and mounts: room {@code runtime}.
 *
 * <p><b>Decisions.</b> Files are not sparse, though that takes more of the disk: with sparse ones
 * the promise rests on nobody else's filling the disk, which captures, templates and other programs
 * of the host may do at any moment, and a file system that is refused a block by the disk below it
 * loses what it had taken already. Nothing of that can be asked of a sandbox, and nothing is
 * counted. A file system is made larger while nobody has it mounted, because not every host that
 * runs a worker may resize one that is. A large one takes part of a second for that.
 *
 * <p>The server looks itself, without a helper of another user: with links and devices shut off by
 * the kernel a helper would protect from nothing, and one call of it would cost more than all it
 * does.
 */
package dev.holdfast.drive;
