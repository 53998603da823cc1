package dev.holdfast.envd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartReaderTest {

    private record Part(PartHeader header, byte[] content) {}

    private static final String BOUNDARY = "----formdata-0123456789";

    /** Content made to look like the delimiter in every way short of being it. */
    private static final String TEASER =
            "\r\n--\r\n\r\n--" + BOUNDARY.substring(0, 22) + "\r\r\n-\r\n--" + "x\r\n";

    @Test
    void givesTheSamePartsWhereverTheBodyIsCut() {
        byte[] body =
                body(
                        part("file", "/home/user/ä b.txt", TEASER),
                        part("file", "b.bin", ""),
                        part("other", null, "ignored"),
                        part("file", "c", "\r\n"));
        for (int first = 0; first <= body.length; first++) {
            for (int second : new int[] {first, first + 1, first + 2, first + 7}) {
                assertParts(read(body, first, Math.min(second, body.length)));
            }
        }
    }

    @Test
    void givesTheSamePartsByteByByte() {
        byte[] body =
                body(
                        part("file", "/home/user/ä b.txt", TEASER),
                        part("file", "b.bin", ""),
                        part("other", null, "ignored"),
                        part("file", "c", "\r\n"));
        int[] cuts = new int[body.length];
        for (int i = 0; i < cuts.length; i++) {
            cuts[i] = i;
        }
        assertParts(read(body, cuts));
    }

    @Test
    void keepsRandomContentWhole() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            StringBuilder content = new StringBuilder();
            String alphabet = "\r\n-" + BOUNDARY.substring(0, 6) + "z";
            int length = random.nextInt(300);
            for (int i = 0; i < length; i++) {
                content.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            byte[] body = body(part("file", "x", content.toString()));
            int[] cuts = random.ints(5, 0, body.length).sorted().toArray();

            List<Part> parts = read(body, cuts);

            assertThat(parts).hasSize(1);
            assertThat(new String(parts.get(0).content(), StandardCharsets.UTF_8))
                    .isEqualTo(content.toString());
        }
    }

    @Test
    void skipsPreambleAndEpilogue() {
        byte[] body = body(part("file", "x", "1"));
        String text = "before\r\n" + new String(body, StandardCharsets.UTF_8) + "\r\nafter --";

        List<Part> parts = read(text.getBytes(StandardCharsets.UTF_8));

        assertThat(parts).hasSize(1);
        assertThat(parts.get(0).content()).asString().isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "form-data; name=\"file\"; filename=\"/a/b c.txt\" | file | /a/b c.txt",
                "form-data; filename=\"a;b=c\"; name=file | file | a;b=c",
                "form-data; name=\"file\"; filename=\"a\\\"b\" | file | a\"b",
                "form-data; name=\"file\"; filename=\"a\\\\b\" | file | a\\b",
                "form-data; name=\"file\"; filename=\"C:\\temp\" | file | C:\\temp",
                "form-data; name=\"file\"; filename=\"ü%22\" | file | ü%22",
                "form-data; name=file; filename*=UTF-8''%2Fa%2F%C3%A4+b | file | /a/ä+b",
            })
    void readsNameAndPathOfAPart(String disposition, String name, String path) {
        PartHeader header =
                PartHeader.parse("content-disposition: " + disposition + "\r\nX: y\r\n\r\n");

        assertThat(header.name()).isEqualTo(name);
        assertThat(header.filename()).contains(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no delimiter at all",
                "----" + BOUNDARY,
                "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=file\r\n\r\ncut",
                "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=file\r\n",
                "--" + BOUNDARY + "-",
            })
    void refusesABodyWithoutItsEnd(String body) {
        assertThatThrownBy(() -> read(body.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOfSatisfying(
                        RestError.class, e -> assertThat(e.status()).isEqualTo(400));
    }

    @Test
    void refusesPartHeadersWithoutBound() {
        MultipartReader reader = new MultipartReader(BOUNDARY);
        byte[] start = ("--" + BOUNDARY + "\r\nX: ").getBytes(StandardCharsets.US_ASCII);
        reader.feed(start, 0, start.length);

        byte[] filler = new byte[20_000];
        assertThatThrownBy(() -> reader.feed(filler, 0, filler.length))
                .isInstanceOf(RestError.class)
                .hasMessageContaining("too large");
    }

    @Test
    void refusesPartsWithoutBound() {
        String many = ("--" + BOUNDARY + "\r\n\r\n\r\n").repeat(1001);

        assertThatThrownBy(() -> read(many.getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(RestError.class)
                .hasMessageContaining("too many parts");
    }

    private static void assertParts(List<Part> parts) {
        assertThat(parts).hasSize(4);
        assertThat(parts.get(0).header()).isEqualTo(new PartHeader("file", "/home/user/ä b.txt"));
        assertThat(parts.get(0).content()).asString().isEqualTo(TEASER);
        assertThat(parts.get(1).header()).isEqualTo(new PartHeader("file", "b.bin"));
        assertThat(parts.get(1).content()).isEmpty();
        assertThat(parts.get(2).header()).isEqualTo(new PartHeader("other", null));
        assertThat(parts.get(3).content()).asString().isEqualTo("\r\n");
    }

    private static List<Part> read(byte[] body, int... cuts) {
        MultipartReader reader = new MultipartReader(BOUNDARY);
        List<Part> parts = new ArrayList<>();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        PartHeader[] current = new PartHeader[1];
        int from = 0;
        for (int i = 0; i <= cuts.length; i++) {
            int to = i < cuts.length ? cuts[i] : body.length;
            for (MultipartReader.Event event : reader.feed(body, from, to - from)) {
                if (event instanceof MultipartReader.Begin begin) {
                    current[0] = begin.header();
                    content.reset();
                } else if (event instanceof MultipartReader.Bytes bytes) {
                    ByteBuffer piece = bytes.content();
                    content.write(
                            piece.array(),
                            piece.arrayOffset() + piece.position(),
                            piece.remaining());
                } else {
                    parts.add(new Part(current[0], content.toByteArray()));
                }
            }
            from = to;
        }
        reader.end();
        return parts;
    }

    private static String part(String name, String filename, String content) {
        String file = filename == null ? "" : "; filename=\"" + filename + "\"";
        return "--"
                + BOUNDARY
                + "\r\nContent-Disposition: form-data; name=\""
                + name
                + "\""
                + file
                + "\r\nContent-Type: application/octet-stream\r\n\r\n"
                + content
                + "\r\n";
    }

    private static byte[] body(String... parts) {
        return (String.join("", parts) + "--" + BOUNDARY + "--\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}
