package dev.holdfast.envd;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads the messages of a request that arrives in pieces cut anywhere; keeps at most one. */
final class EnvelopeReader {

    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private final byte[] header = new byte[Envelope.HEADER];
    private int headerBytes;
    private int missing;

    /** The messages that became complete, in order. */
    List<byte[]> feed(byte[] bytes, int length) {
        List<byte[]> messages = new ArrayList<>();
        int at = 0;
        while (at < length) {
            if (headerBytes < Envelope.HEADER) {
                header[headerBytes++] = bytes[at++];
                if (headerBytes == Envelope.HEADER) {
                    missing = Envelope.lengthOf(header);
                }
            } else {
                int take = Math.min(missing, length - at);
                begun.write(bytes, at, take);
                missing -= take;
                at += take;
            }
            if (headerBytes == Envelope.HEADER && missing == 0) {
                messages.add(begun.toByteArray());
                begun.reset();
                headerBytes = 0;
            }
        }
        return messages;
    }

    /** Says that nothing follows; refuses half a message. */
    void end() {
        if (headerBytes > 0) {
            throw ConnectError.invalid("the request ends within an envelope");
        }
    }
}
