package dev.holdfast.envd;

import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What an uploader notes about its files: headers {@code X-Metadata-<key>}. */
final class FileMetadata {

    private static final String HEADER = "x-metadata-";

    /** Where they are kept, each under this prefix; it counts for the size. */
    private static final String PREFIX = "user.e2b.";

    private static final int LONGEST_KEY = 255 - PREFIX.length();
    private static final int MOST = 4096;

    private FileMetadata() {}

    /** Keys in lower case; of a header that comes several times the first value counts. */
    static Map<String, String> of(HeaderMap headers) {
        Map<String, String> metadata = new LinkedHashMap<>();
        int size = 0;
        for (HttpString header : headers.getHeaderNames()) {
            String name = header.toString().toLowerCase(Locale.ROOT);
            if (!name.startsWith(HEADER)) {
                continue;
            }
            String key = name.substring(HEADER.length());
            String value = headers.getFirst(header);
            if (key.isEmpty() || key.length() > LONGEST_KEY || !isPrintable(key)) {
                throw new RestError(
                        400,
                        "a metadata key has 1 to " + LONGEST_KEY + " printable ASCII characters");
            }
            if (!isPrintable(value)) {
                throw new RestError(400, "the metadata value of '" + key + "' is not printable");
            }
            size += PREFIX.length() + key.length() + value.length();
            if (size > MOST) {
                throw new RestError(400, "the metadata of a file have at most " + MOST + " bytes");
            }
            metadata.put(key, value);
        }
        return metadata;
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
    }
}
