package dev.holdfast.agent;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** UTF-8 that comes in pieces whose borders may cut a character; what is none becomes U+FFFD. */
final class Characters {

    private static final int LONGEST_CHARACTER = 4;

    private final CharsetDecoder decoder =
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE);

    private ByteBuffer rest = ByteBuffer.allocate(0);

    /** All whole characters so far; with the last piece also what is left of one. */
    String decode(ByteBuffer piece, boolean last) {
        var bytes = ByteBuffer.allocate(rest.remaining() + piece.remaining());
        bytes.put(rest).put(piece).flip();
        var characters = CharBuffer.allocate(bytes.remaining() + LONGEST_CHARACTER);
        decoder.decode(bytes, characters, last);
        if (last) {
            decoder.flush(characters);
            decoder.reset();
        }
        rest = bytes.slice();
        return characters.flip().toString();
    }
}
