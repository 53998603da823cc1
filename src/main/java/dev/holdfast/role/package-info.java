/**
 * What this node is there for: {@code holdfast.roles}.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.role.Roles}: of this node.
 *
 * <p><b>Facts that must hold.</b> A node has one role at least, and anything else than the three
 * spellings that the server's own configuration knows is refused at the start.
 *
 * <p><b>Out of scope.</b> What other nodes are there for, and which workers there are: room {@code
 * fleet}.
 */
package dev.holdfast.role;
