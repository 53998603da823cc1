/**
 * What a fresh sandbox starts from: a named root file system with its settings and its runtime
 * generation.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.template.Templates}: find by name or ID, introduce a
 * built-in one and publish its image.
 *
 * <p><b>Facts that must hold.</b> An image is a stored object named by its digest and never
 * changes; publishing a newer image moves the template's digest, while sandboxes and snapshots keep
 * the digest they were made with. A built-in template belongs to no project and everybody may use
 * it.
 *
 * <p><b>Out of scope.</b> Making images: host preparation does it for the built-in ones.
 */
package dev.holdfast.template;
