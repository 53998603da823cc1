package dev.holdfast.envd;

import jakarta.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The five bytes before each message of a stream: flags and a big-endian length. */
final class Envelope {

    static final int HEADER = 5;
    static final int MOST = 4 * 1024 * 1024;

    private static final byte DATA = 0x00;
    private static final int COMPRESSED = 0x01;
    private static final byte END = 0x02;
    private static final byte[] WELL = "{}".getBytes(StandardCharsets.US_ASCII);

    private Envelope() {}

    static byte[] message(byte[] json) {
        return wrap(DATA, json);
    }

    /** The end of a stream that went well; without it clients report a broken stream. */
    static byte[] end() {
        return wrap(END, WELL);
    }

    static byte[] end(ConnectError error) {
        JsonObject body = Answers.BUILDERS.createObjectBuilder().add("error", error.json()).build();
        return wrap(END, body.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** The one message of a request body. */
    static byte[] only(byte[] body) {
        if (body.length < HEADER) {
            throw ConnectError.invalid("the request has no complete envelope");
        }
        int length = lengthOf(body);
        ByteBuffer envelope = ByteBuffer.wrap(body).position(HEADER);
        if (length != envelope.remaining()) {
            throw ConnectError.invalid("the request is not exactly one envelope");
        }
        byte[] message = new byte[length];
        envelope.get(message);
        return message;
    }

    /** How long the message is whose envelope begins here; refuses what nobody sends. */
    static int lengthOf(byte[] header) {
        ByteBuffer envelope = ByteBuffer.wrap(header);
        int flags = envelope.get();
        int length = envelope.getInt();
        if ((flags & COMPRESSED) != 0) {
            throw new ConnectError(
                    ConnectCode.UNIMPLEMENTED, "compressed messages are not supported");
        }
        if (flags != DATA) {
            throw ConnectError.invalid("the request's envelope has unknown flags");
        }
        if (length < 0 || length > MOST) {
            throw new ConnectError(ConnectCode.RESOURCE_EXHAUSTED, "the message is too large");
        }
        return length;
    }

    private static byte[] wrap(byte flags, byte[] payload) {
        return ByteBuffer.allocate(HEADER + payload.length)
                .put(flags)
                .putInt(payload.length)
                .put(payload)
                .array();
    }
}
