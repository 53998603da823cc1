package dev.holdfast.envd;

import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import java.util.Locale;
import java.util.Optional;

/**
 * How a client wants to have a file.
 *
 * @param gzip whether it takes gzip
 * @param plain whether it takes the content as it is
 */
record ReadTerms(Optional<ByteRange> range, boolean gzip, boolean plain) {

    static ReadTerms of(HeaderMap headers) {
        // A condition on a range never holds here: contents have no validator.
        Optional<ByteRange> range =
                headers.contains("If-Range")
                        ? Optional.empty()
                        : ByteRange.of(headers.getFirst(Headers.RANGE));
        String header = headers.getFirst(Headers.ACCEPT_ENCODING);
        String accepted = header == null ? "" : header.toLowerCase(Locale.ROOT);
        Optional<Boolean> any = accepts(accepted, "*");
        boolean gzip = accepts(accepted, "gzip").or(() -> any).orElse(false);
        boolean plain = accepts(accepted, "identity").or(() -> any.filter(a -> !a)).orElse(true);
        if (!gzip && !plain) {
            throw new RestError(406, "contents come as gzip or as they are");
        }
        return new ReadTerms(range, gzip, plain);
    }

    /** What the header says of a coding, if it names it. */
    private static Optional<Boolean> accepts(String header, String coding) {
        for (String choice : header.split(",")) {
            String[] parts = choice.split(";", 2);
            if (parts[0].trim().equals(coding)) {
                String quality = parts.length < 2 ? "" : parts[1].replace(" ", "");
                return Optional.of(!quality.matches("q=0(\\.0{0,3})?"));
            }
        }
        return Optional.empty();
    }
}
