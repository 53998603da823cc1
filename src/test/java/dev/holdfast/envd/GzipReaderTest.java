package dev.holdfast.envd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipReaderTest {

    private final byte[] content = content();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000, 16384, 1 << 20})
    void decompressesWhateverThePieces(int size) throws IOException {
        assertThat(read(gzip(content), size)).isEqualTo(content);
    }

    @Test
    void decompressesMembersInARow() throws IOException {
        byte[] one = gzip(content);
        byte[] two = Arrays.copyOf(one, one.length * 2);
        System.arraycopy(one, 0, two, one.length, one.length);

        byte[] read = read(two, 100);

        assertThat(read).hasSize(content.length * 2);
        assertThat(Arrays.copyOfRange(read, content.length, read.length)).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 50})
    void passesOverEveryOptionalField(int size) {
        assertThat(read(withAllFields("hello".getBytes()), size)).asString().isEqualTo("hello");
    }

    @Test
    void decompressesNothing() throws IOException {
        assertThat(read(gzip(new byte[0]), 5)).isEmpty();
    }

    @Test
    void makesOnlyAsMuchAsIsAskedFor() throws IOException {
        byte[] bomb = gzip(new byte[50_000_000]);
        assertThat(bomb.length).isLessThan(100_000);
        try (GzipReader reader = new GzipReader()) {
            reader.input(bomb, 0, bomb.length);
            byte[] into = new byte[8192];
            long total = 0;
            for (int made = reader.read(into); made > 0; made = reader.read(into)) {
                total += made;
            }
            reader.end();
            assertThat(total).isEqualTo(50_000_000);
        }
    }

    @Test
    void refusesWhatStopsTooEarly() throws IOException {
        byte[] whole = gzip(content);
        for (int length : new int[] {0, 1, 9, 10, 500, whole.length - 9, whole.length - 1}) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(cut, 64)).isInstanceOf(RestError.class);
        }
    }

    @Test
    void refusesAWrongSum() throws IOException {
        byte[] wrong = gzip(content);
        wrong[wrong.length - 6] ^= 1;

        assertThatThrownBy(() -> read(wrong, 64)).isInstanceOf(RestError.class);
    }

    @Test
    void refusesWhatIsNoGzip() {
        assertThatThrownBy(() -> read("plain text, not gzip".getBytes(), 64))
                .isInstanceOf(RestError.class);
    }

    private static byte[] read(byte[] compressed, int size) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] into = new byte[777];
        try (GzipReader reader = new GzipReader()) {
            for (int at = 0; at < compressed.length; at += size) {
                reader.input(compressed, at, Math.min(size, compressed.length - at));
                for (int made = reader.read(into); made > 0; made = reader.read(into)) {
                    all.write(into, 0, made);
                }
            }
            reader.end();
        }
        return all.toByteArray();
    }

    private static byte[] content() {
        byte[] bytes = new byte[100_000];
        Random random = new Random(3);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : i / 100);
        }
        return bytes;
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] withAllFields(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3});
        out.writeBytes(new byte[] {4, 0, 'A', 'B', 0, 0});
        out.writeBytes("name\0comment\0".getBytes());
        out.writeBytes(new byte[] {0x12, 0x34});
        Deflater deflater = new Deflater(9, true);
        deflater.setInput(bytes);
        deflater.finish();
        byte[] buffer = new byte[1000];
        out.write(buffer, 0, deflater.deflate(buffer));
        deflater.end();
        CRC32 sum = new CRC32();
        sum.update(bytes);
        for (long value : new long[] {sum.getValue(), bytes.length}) {
            for (int i = 0; i < 4; i++) {
                out.write((int) (value >> 8 * i));
            }
        }
        return out.toByteArray();
    }
}
