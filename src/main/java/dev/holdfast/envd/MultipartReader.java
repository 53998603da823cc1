package dev.holdfast.envd;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads {@code multipart/form-data} that arrives in pieces cut anywhere. What it gives back is
 * bounded by what it was given: it holds at most one delimiter or one part's headers.
 */
final class MultipartReader {

    /** What a piece of the body contained, in order. */
    sealed interface Event {}

    /** A part begins. */
    record Begin(PartHeader header) implements Event {}

    /** Bytes of the part; they share the array that was fed. */
    record Bytes(ByteBuffer content) implements Event {}

    /** The part is complete. */
    record End() implements Event {}

    private enum State {
        PREAMBLE,
        DELIMITER_END,
        HEADERS,
        BODY,
        EPILOGUE
    }

    private static final int MOST_HEADERS = 16 * 1024;
    private static final int MOST_PADDING = 128;
    private static final int MOST_PARTS = 1000;
    private static final int MOST_BOUNDARY = 200;

    private final byte[] delimiter;
    private final ByteArrayOutputStream headers = new ByteArrayOutputStream();
    private State state = State.PREAMBLE;

    /**
     * How much of the delimiter the last bytes were; a body may begin with it, without the CRLF.
     */
    private int matched = 2;

    private final StringBuilder afterDelimiter = new StringBuilder();
    private int parts;

    MultipartReader(String boundary) {
        if (boundary.isEmpty()
                || boundary.length() > MOST_BOUNDARY
                || !boundary.chars().allMatch(c -> c > 31 && c < 127)) {
            throw new RestError(400, "the multipart boundary is malformed");
        }
        delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
    }

    List<Event> feed(byte[] bytes, int offset, int length) {
        List<Event> events = new ArrayList<>();
        int at = offset;
        int end = offset + length;
        while (at < end) {
            at =
                    switch (state) {
                        case PREAMBLE, BODY -> content(bytes, at, end, events);
                        case DELIMITER_END -> delimiterEnd(bytes[at], at);
                        case HEADERS -> headers(bytes[at], at, events);
                        case EPILOGUE -> end;
                    };
        }
        return events;
    }

    /** Says that nothing follows; refuses a body without its last delimiter. */
    void end() {
        boolean last = state == State.DELIMITER_END && afterDelimiter.toString().equals("--");
        if (state != State.EPILOGUE && !last) {
            throw new RestError(400, "the multipart body ends too early");
        }
    }

    /**
     * The delimiter's first byte does not come again in it, so after a mismatch only the current
     * byte can begin a new match. What the former pieces matched of it is content then, and is
     * written from the delimiter itself.
     */
    private int content(byte[] bytes, int from, int end, List<Event> events) {
        int carried = matched;
        for (int at = from; at < end; at++) {
            if (bytes[at] == delimiter[matched]) {
                if (++matched == delimiter.length) {
                    emit(bytes, from, at + 1 - delimiter.length, events);
                    closePart(events);
                    return at + 1;
                }
            } else {
                if (carried > 0) {
                    emit(delimiter, 0, carried, events);
                    carried = 0;
                }
                matched = bytes[at] == delimiter[0] ? 1 : 0;
            }
        }
        int held = carried > 0 ? end - from : Math.min(matched, end - from);
        emit(bytes, from, end - held, events);
        return end;
    }

    private void closePart(List<Event> events) {
        if (state == State.BODY) {
            events.add(new End());
        }
        matched = 0;
        afterDelimiter.setLength(0);
        state = State.DELIMITER_END;
    }

    private void emit(byte[] bytes, int from, int to, List<Event> events) {
        if (state == State.BODY && to > from) {
            events.add(new Bytes(ByteBuffer.wrap(bytes, from, to - from)));
        }
    }

    /** Two hyphens end the body; else white space and a line end lead to the next part. */
    private int delimiterEnd(byte next, int at) {
        afterDelimiter.append((char) (next & 0xff));
        String seen = afterDelimiter.toString();
        if (seen.startsWith("--")) {
            state = State.EPILOGUE;
        } else if (seen.endsWith("\r\n")) {
            if (!seen.isBlank()) {
                throw new RestError(400, "the multipart body is malformed");
            }
            if (++parts > MOST_PARTS) {
                throw new RestError(400, "the multipart body has too many parts");
            }
            headers.reset();
            state = State.HEADERS;
        } else if (seen.length() > MOST_PADDING) {
            throw new RestError(400, "the multipart body is malformed");
        }
        return at + 1;
    }

    private int headers(byte next, int at, List<Event> events) {
        headers.write(next);
        if (headers.size() > MOST_HEADERS) {
            throw new RestError(400, "the headers of a part are too large");
        }
        if (next == '\n') {
            String text = headers.toString(StandardCharsets.UTF_8);
            if (text.equals("\r\n") || text.endsWith("\r\n\r\n")) {
                events.add(new Begin(PartHeader.parse(text)));
                state = State.BODY;
                matched = 0;
            }
        }
        return at + 1;
    }
}
