package dev.holdfast.webhook;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A body in pieces, as HTTP/1.1 has it when nobody knows its length beforehand. */
final class Chunks {
    private static final Pattern CODING =
            Pattern.compile("(?i)\r\ntransfer-encoding: *chunked *\r\n");
    private static final Pattern SIZE = Pattern.compile("([0-9a-fA-F]{1,7})(?:;[^\r\n]*)?\r\n");

    private Chunks() {}

    /**
     * @param head with the end of its last line
     */
    static boolean are(String head) {
        return CODING.matcher(head).find();
    }

    /** What is in them, as far as they were read. */
    static String joined(String body) {
        StringBuilder joined = new StringBuilder();
        Matcher size = SIZE.matcher(body);
        int at = 0;
        while (size.region(at, body.length()).lookingAt()) {
            int end = size.end() + Integer.parseInt(size.group(1), 16);
            joined.append(body, size.end(), Math.min(end, body.length()));
            at = Math.min(end + 2, body.length());
        }
        return joined.toString();
    }
}
