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
 *   <li>Whoever has a file open holds nothing up but the removal of a deleted volume, which is
 *       tried again.
 * </ul>
 *
 * <p><b>Out of scope.</b> Which volumes there are and who may have them: room {@code volume}. Loop
 * devices, images and mounts: room {@code runtime}.
 *
 * <p><b>Decisions.</b> The server looks itself, without a helper of another user: with links and
 * devices shut off by the kernel a helper would protect from nothing, and one call of it would cost
 * more than all it does.
 */
package dev.holdfast.drive;
