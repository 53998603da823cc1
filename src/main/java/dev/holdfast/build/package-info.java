/**
 * An archive becomes a template's image, and an image that nothing needs goes.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.build.Builds}: begin with an order, take the archive,
 * build. {@link dev.holdfast.build.Images}: remove what is not needed, for every job. {@link
 * dev.holdfast.build.BuildNode} begins and ends this node's part.
 *
 * <p><b>The flow.</b> The order is a row that holds the name before the first byte of the archive
 * is read. The archive goes to a bounded file below {@code holdfast.home}; when it is there whole,
 * the caller has the template's address and may leave, and the node that took it builds: one build
 * after the other, because each keeps a processor busy. The digest is claimed in the row, then the
 * image is stored, then the row is {@code READY}: an image in the store always has a row that tells
 * of it.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Nothing of an archive is executed, and programs read it only in a cell without network and
 *       privileges whose file system bounds bytes and files ({@code build-template.sh}). What is
 *       unpacked never leaves the cell; only the image and the configuration do, both bounded.
 *   <li>However a build ends, its directory is gone, and the row is {@code READY} or {@code FAILED}
 *       with a reason. A server that died in the middle finds its builds when it starts and fails
 *       them; those of a worker that never comes back fail at their deadline, by a job.
 *   <li>An image is removed while the lock is held that a build takes to claim the same one.
 * </ul>
 *
 * <p><b>Decisions.</b> The work stays where the archive is, so there is no message to a worker: the
 * archive would have to travel first. Of an image's configuration the environment is kept; command,
 * user and working directory are not, because a sandbox starts with its agent and each command says
 * who runs it and where. Set-user-ID bits and extended attributes are dropped: inside gVisor they
 * mean nothing, and the image is mounted on the machine. Device nodes below {@code /dev} are left
 * out, elsewhere they are refused.
 *
 * <p><b>Out of scope.</b> The catalogue: room {@code template}. How the body is read: room {@code
 * api}.
 */
package dev.holdfast.build;
