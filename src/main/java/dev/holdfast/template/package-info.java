/**
 * What a fresh sandbox starts from: a named root file system with its settings and its runtime
 * generation.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.template.Templates}: find, list, order, delete; the
 * steps of a build as its worker reports them; which images nothing needs any more. {@link
 * dev.holdfast.template.Generations}: which generations of the runtime there are here.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>An image is a stored object named by its digest and never changes; publishing a newer image
 *       moves the template's digest, while sandboxes and snapshots keep the digest they were made
 *       with. A built-in template belongs to no project, everybody may use it, and no project can
 *       delete it.
 *   <li>{@code BUILDING} becomes {@code READY} or {@code FAILED} with a reason, at the latest at
 *       the deadline, whatever the client or the worker does. A name is one template's in a project
 *       from the order on, and free at once when it fails or is deleted.
 *   <li>Deleting a template marks its row. The image stays as long as a template, a snapshot in any
 *       state or a sandbox that has not ended needs its digest, which one statement decides under a
 *       lock that a build of the very same image takes too.
 *   <li>Whoever makes a sandbox or a snapshot locks the template's row against its deletion for
 *       that transaction, so of the two exactly one comes first. A capture that comes second is
 *       refused; a pause is not, because the sandbox's owner would lose its state.
 *   <li>A generation that is turned off is offered to nobody: its built-in template is not there,
 *       none is made with it, and own templates made with it before make no sandbox.
 * </ul>
 *
 * <p><b>Decisions.</b> An own template goes before a built-in one of the same name, so that a new
 * built-in name breaks nobody. IDs are UUIDs and names are not, so neither hides the other.
 *
 * <p><b>Out of scope.</b> Making images: room {@code build}, and host preparation for the built-in
 * ones.
 */
package dev.holdfast.template;
