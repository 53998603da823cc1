package dev.holdfast.sandbox;

import java.util.List;

/**
 * What became of a sandbox that was made from a saved state, as far as it is another one now. What
 * the agent told is told as it said it; nothing is decided by it.
 *
 * @param renewed what was made its own: host name, machine ID, environment, entropy of the kernel
 * @param notRenewed what of that could not be
 * @param cut what of the source ended with the capture
 * @param shared what nobody can renew from outside, so that its clones share it
 * @param clockSkewMillis how far its clock was ahead of its worker's
 */
public record RestoreReport(
        List<String> renewed,
        List<String> notRenewed,
        List<String> cut,
        List<String> shared,
        long clockSkewMillis) {

    private static final List<String> CUT =
            List.of(
                    "connections to outside, which programs inside see as reset",
                    "command streams, terminals and watches of the source's clients");

    private static final List<String> SHARED =
            List.of(
                    "random state in the memory of programs that were running, such as a seeded"
                            + " generator",
                    "secrets and IDs that programs had made before the capture");

    private static final int MOST = 32;
    private static final int LONGEST = 64;

    public RestoreReport {
        renewed = bounded(renewed);
        notRenewed = bounded(notRenewed);
        cut = List.copyOf(cut);
        shared = List.copyOf(shared);
    }

    /** Of one that goes on where its source was. */
    public static RestoreReport goingOn(
            List<String> renewed, List<String> notRenewed, long clockSkewMillis) {
        return new RestoreReport(renewed, notRenewed, CUT, SHARED, clockSkewMillis);
    }

    /** Of one that took only the disk and started anew. */
    public static RestoreReport booted(
            List<String> renewed, List<String> notRenewed, long clockSkewMillis) {
        return new RestoreReport(
                renewed,
                notRenewed,
                List.of("every process of the source"),
                List.of("secrets and IDs in files"),
                clockSkewMillis);
    }

    /** The agent is not trusted with our memory, nor with what a database text cannot hold. */
    private static List<String> bounded(List<String> told) {
        return told.stream()
                .limit(MOST)
                .map(text -> text.replace("\0", ""))
                .map(text -> text.length() <= LONGEST ? text : text.substring(0, LONGEST))
                .toList();
    }
}
