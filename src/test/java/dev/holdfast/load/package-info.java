/** Many sandboxes at work at once, with bounds: nothing lost, nothing doubled, nothing left. */
package dev.holdfast.load;
