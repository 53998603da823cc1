package dev.holdfast.envd;

import java.nio.charset.StandardCharsets;

/** Names a file in an answer's header so that no name can break out of it (RFC 6266). */
final class ContentDisposition {

    private static final String PLAIN = "!#$&+-.^_`|~";

    private ContentDisposition() {}

    static String attachment(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        StringBuilder header = new StringBuilder("attachment; filename*=UTF-8''");
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean letter = c < 128 && Character.isLetterOrDigit(c);
            if (letter || PLAIN.indexOf(c) >= 0) {
                header.append(c);
            } else {
                header.append(String.format("%%%02X", (int) c));
            }
        }
        return header.toString();
    }
}
