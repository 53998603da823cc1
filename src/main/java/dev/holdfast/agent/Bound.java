package dev.holdfast.agent;

/**
 * How much an operation may tell. The agent keeps to less; what was put in its place is refused
 * past it, {@code too_large}, and only the operation ends.
 *
 * @param entries how many lines may come
 * @param longest how many bytes one text may have: an answer, or a line
 * @param values how many values there may be in it, which cost far more memory than their letters
 * @param held how many bytes are held of the operation at once
 */
record Bound(int entries, int longest, int values, long held) {

    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;
    private static final int ANY = Integer.MAX_VALUE;

    /** What a value takes besides its letters, and an entry of a list besides its line. */
    private static final int VALUE = 64;

    private static final int ENTRY = 256;

    /** Of what answers with one text. */
    static final Bound ANSWER = new Bound(1, 256 * KIB, 8 * KIB, 2 * MIB);

    static final Bound COMPLETION = new Bound(1, MIB, 32 * KIB, 5 * MIB);

    /** The agent lists 100,000 entries in 32 MiB; metadata have 8 KiB, of a byte each at least. */
    static final Bound DIRECTORY = new Bound(100_000, 128 * KIB, 8 * KIB, 58L * MIB);

    /** The agent runs 1,024; a line has what a request to start one has. */
    static final Bound PROCESSES = new Bound(1024, 2 * MIB, 64 * KIB, 24 * MIB);

    /** The agent has 16, and those of the languages. */
    static final Bound CONTEXTS = new Bound(64, 64 * KIB, 64, 4 * MIB);

    static final Bound VARIABLES = new Bound(1000, 16 * KIB, 64, 8 * MIB);

    static final Bound WATCH = new Bound(ANY, 128 * KIB, 8 * KIB, 2 * MIB);

    /** The interpreter says 8 MiB at once. */
    static final Bound EXECUTION = new Bound(ANY, 10 * MIB, 500_000, 58L * MIB);

    /** Output and contents are no text: they wait here within their credit. */
    static final Bound BYTES = new Bound(1, 256 * KIB, 8 * KIB, 2 * MIB);

    /** Lines of a {@link Probe}: a page of a directory. */
    static final Bound LOOK = new Bound(20_000, 64 * KIB, 64, 16 * MIB);

    /** A path in base64 and its figures, or a process with its names. */
    static final Bound WALK = new Bound(ANY, 512 * KIB, 32 * KIB, 4 * MIB);

    /**
     * What a text comes to when it has been read.
     *
     * @throws AgentException {@code too_large}
     */
    long weight(byte[] text) {
        if (text.length > longest) {
            throw AgentException.tooLarge("a text has more than " + longest + " bytes");
        }
        var count = values(text);
        if (count > values) {
            throw AgentException.tooLarge("a text has more than " + values + " values");
        }
        return text.length + (long) count * VALUE;
    }

    /** What an entry that is kept comes to. */
    static long kept(int line) {
        return line + ENTRY;
    }

    /** No fewer than there are: each but the first stands behind one of these. */
    private static int values(byte[] text) {
        var count = 1;
        var quoted = false;
        for (var i = 0; i < text.length; i++) {
            switch (text[i]) {
                case '"' -> quoted = !quoted;
                case '\\' -> i += quoted ? 1 : 0;
                case ',', ':', '[', '{' -> count += quoted ? 0 : 1;
                default -> {}
            }
        }
        return count;
    }
}
