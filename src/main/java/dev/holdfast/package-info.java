/** Holdfast: agent sandboxes with whole-state snapshots. */
package dev.holdfast;
