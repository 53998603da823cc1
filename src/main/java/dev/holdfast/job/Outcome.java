package dev.holdfast.job;

/** What an execution says of itself at its end, which every console shows as its exit status. */
final class Outcome {

    /** As long as the job repository keeps it. */
    private static final int LONGEST = 500;

    private Outcome() {}

    static String cut(String words) {
        return words.length() <= LONGEST ? words : words.substring(0, LONGEST - 3) + "...";
    }
}
