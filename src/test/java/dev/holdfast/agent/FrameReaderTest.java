package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameReaderTest {

    private final Random random = new Random(7);

    @Test
    void findsFramesCutAtEveryByte() throws IOException {
        var bytes = join(frame(1, 100), frame(2, 0), frame(3, 300));
        for (var piece = 1; piece < 60; piece++) {
            assertThat(sequences(bytes, piece))
                    .as("in pieces of %d", piece)
                    .containsExactly(1, 2, 3);
        }
    }

    @Test
    void takesTheLargestPayloadAndCrossesThePipeBoundary() throws IOException {
        var bytes =
                join(
                        frame(1, Frame.MAX_PAYLOAD),
                        frame(2, Frame.MAX_PAYLOAD - 1),
                        frame(3, Frame.MAX_PAYLOAD));
        assertThat(sequences(bytes, 65536)).containsExactly(1, 2, 3);
        assertThat(sequences(bytes, 65536 - 26)).containsExactly(1, 2, 3);
        assertThat(sequences(bytes, 1_000_000)).containsExactly(1, 2, 3);
    }

    @Test
    void refusesToMakeAnOversizedFrame() {
        var tooMuch = ByteBuffer.allocate(Frame.MAX_PAYLOAD + 1);
        assertThatThrownBy(
                        () ->
                                Frame.put(
                                        ByteBuffer.allocate(70_000),
                                        Frame.Kind.DATA,
                                        0,
                                        1,
                                        1,
                                        Frame.NO_CHANNEL,
                                        tooMuch))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void skipsAnOversizedClaimWithARightHeaderChecksum() throws IOException {
        var false1 = frame(1, 10);
        var header = ByteBuffer.wrap(false1);
        header.putInt(14, Frame.MAX_PAYLOAD + 1);
        header.putInt(22, Frame.crc(header, 0, 22));
        assertThat(sequences(join(false1, frame(2, 20)), 50)).containsExactly(2);
    }

    @Test
    void skipsGarbageAndZeros() throws IOException {
        var garbage = new byte[5000];
        random.nextBytes(garbage);
        assertThat(sequences(join(garbage, frame(1, 5), new byte[Frame.FILLER], frame(2, 5)), 777))
                .containsExactly(1, 2);
    }

    @Test
    void skipsAFrameWithADamagedByteAnywhere() throws IOException {
        for (var at = 0; at < Frame.HEADER + 40; at++) {
            var damaged = frame(1, 40);
            damaged[at] ^= 0x10;
            assertThat(sequences(join(damaged, frame(2, 7)), 33))
                    .as("byte %d", at)
                    .containsExactly(2);
        }
    }

    @Test
    void findsTheTrueFrameInsideACutOne() throws IOException {
        var large = frame(1, 30_000);
        for (var cut : new int[] {4, 25, 26, 27, 5000, 30_025}) {
            var begun = java.util.Arrays.copyOf(large, cut);
            var bytes = join(begun, new byte[Frame.FILLER], frame(2, 9));
            assertThat(sequences(bytes, 4096)).as("cut at %d", cut).containsExactly(2);
        }
    }

    @Test
    void countsWhatItSkippedButNotTheZeros() throws IOException {
        var reader = new FrameReader();
        read(reader, join(new byte[] {1, 2, 3}, new byte[100], frame(1, 1)), 64);
        assertThat(reader.skipped()).isEqualTo(3);
    }

    private byte[] frame(int sequence, int length) {
        var body = new byte[length];
        random.nextBytes(body);
        var out = ByteBuffer.allocate(Frame.HEADER + length);
        Frame.put(out, Frame.Kind.DATA, 0, 5, sequence, Frame.NO_CHANNEL, ByteBuffer.wrap(body));
        return out.array();
    }

    private static byte[] join(byte[]... parts) {
        var out = new java.io.ByteArrayOutputStream();
        for (var part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static List<Integer> sequences(byte[] bytes, int piece) throws IOException {
        return read(new FrameReader(), bytes, piece);
    }

    private static List<Integer> read(FrameReader reader, byte[] bytes, int piece)
            throws IOException {
        var found = new ArrayList<Integer>();
        var source = new Pieces(ByteBuffer.wrap(bytes), piece);
        while (reader.readFrom(source) >= 0) {
            for (var frame = reader.next(); frame != null; frame = reader.next()) {
                found.add(frame.sequence());
            }
        }
        return found;
    }

    private record Pieces(ByteBuffer left, int piece) implements ReadableByteChannel {
        @Override
        public int read(ByteBuffer target) {
            if (!left.hasRemaining()) {
                return -1;
            }
            var length = Math.min(Math.min(piece, left.remaining()), target.remaining());
            target.put(left.slice().limit(length));
            left.position(left.position() + length);
            return length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
