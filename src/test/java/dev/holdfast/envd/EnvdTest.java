package dev.holdfast.envd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.RealAgent;
import dev.holdfast.gateway.TestServer;
import dev.holdfast.sandbox.KnownTokens;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.worker.LiveSandboxes;
import dev.holdfast.worker.Planted;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The data plane over HTTP, on the real agent in namespaces of its own. The server has one worker
 * thread: whatever held it would stop everything here.
 */
@Timeout(120)
class EnvdTest {

    private static final SandboxId ID = new SandboxId("itest");

    /** How long a client may read the end of a stream whose sandbox is gone. */
    private static final Duration FAREWELL = ofSeconds(5);

    @TempDir Path files;

    private static final LiveSandboxes sandboxes = new LiveSandboxes();
    private static final SandboxTokens tokens = KnownTokens.of(new byte[32]);
    private static RealAgent agent;
    private static TestServer server;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void start() throws Exception {
        System.setProperty("holdfast.envd.upload.silence", "3");
        System.setProperty("holdfast.gateway.message.patience", "3");
        agent = RealAgent.start();
        server = new TestServer(EnvdApplication.class, sandboxes, tokens);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        agent.close();
    }

    @BeforeEach
    void plant() {
        if (sandboxes.find(ID).isEmpty()) {
            Planted.add(sandboxes, ID, agent.channel(), true, true);
        }
    }

    @Test
    void tellsHealthWithoutAToken() throws Exception {
        HttpRequest probe =
                HttpRequest.newBuilder(uri("/health"))
                        .header("E2b-Sandbox-Id", ID.value())
                        .header("E2b-Sandbox-Port", "49983")
                        .build();

        assertThat(client.send(probe, BodyHandlers.ofString()).statusCode()).isEqualTo(204);
    }

    @Test
    void streamsAProcessMessageByMessage() throws Exception {
        long before = System.nanoTime();
        try (DataInputStream in = startCommand("echo one; sleep 2; echo two >&2; exit 3")) {
            assertThat(message(in)).startsWith("{\"event\":{\"start\":{\"pid\":");
            assertThat(message(in)).isEqualTo(data("stdout", "one\n"));
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(ofSeconds(2));
            assertThat(message(in)).isEqualTo(data("stderr", "two\n"));
            assertThat(message(in))
                    .isEqualTo(
                            "{\"event\":{\"end\":{\"exitCode\":3,\"exited\":true,"
                                    + "\"status\":\"exit status 3\",\"error\":\"exit status 3\"}}}");
            assertThat(message(in)).isEqualTo("END {}");
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void keepsASilentStreamAlive() throws Exception {
        try (DataInputStream in = startCommand("sleep 3", "Keepalive-Ping-Interval", "1")) {
            message(in);
            assertThat(message(in)).isEqualTo("{\"event\":{\"keepalive\":{}}}");
            assertThat(message(in)).isEqualTo("{\"event\":{\"keepalive\":{}}}");
        }
    }

    @Test
    void killsTheProcessAtTheDeadlineOfItsStart() throws Exception {
        try (DataInputStream in = startCommand("sleep 77", "Connect-Timeout-Ms", "500")) {
            String pid = message(in).replaceAll("\\D", "");
            assertThat(message(in)).startsWith("END {\"error\":{\"code\":\"deadline_exceeded\"");
            awaitEnd(pid);
        }
    }

    @Test
    void leavesTheProcessToLiveWhenItsClientLeaves() throws Exception {
        String start;
        try (DataInputStream in = startCommand("exec sleep 77")) {
            start = message(in);
        }
        String pid = start.replaceAll("\\D", "");
        assertThat(unary("process.Process/List", "{}").body()).contains("\"pid\":" + pid);

        try (DataInputStream in =
                stream("process.Process/Connect", "{\"process\":{\"pid\":" + pid + "}}")) {
            assertThat(message(in)).isEqualTo(start);
            unary(
                    "process.Process/SendSignal",
                    "{\"process\":{\"pid\":" + pid + "},\"signal\":\"SIGNAL_SIGKILL\"}");
            assertThat(message(in)).contains("\"exitCode\":-1", "\"status\":\"signal: killed\"");
            assertThat(message(in)).isEqualTo("END {}");
        }
    }

    @Test
    void endsStreamsInTheKnownWordsWhenTheSandboxGoes() throws Exception {
        try (DataInputStream in = startCommand("exec sleep 77")) {
            message(in);
            Planted.remove(sandboxes, ID);
            assertThat(message(in))
                    .contains("\"unavailable\"")
                    .contains("sandbox was killed or reached its end of life");
        }
        assertThat(unary("process.Process/List", "{}").statusCode()).isEqualTo(502);
    }

    @Test
    void leavesTheConnectionOfARefusedStreamToTheNextRequest() throws Exception {
        agent.channel().quiesce(ofSeconds(5)).toCompletableFuture().get(5, TimeUnit.SECONDS);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            ask(socket, "{\"process\":{\"cmd\":\"/bin/true\",\"cwd\":\"/missing\"}}");
            Thread.sleep(300);
            Planted.remove(sandboxes, ID);
            assertThat(headOf(in)).startsWith("HTTP/1.1 200");
            assertThat(message(in)).startsWith("END").contains("\"unavailable\"");
            plant();
            // The agent's own refusal comes now, too late.
            agent.channel().resume();
            Thread.sleep(FAREWELL.plusSeconds(1).toMillis());
            ask(socket, start("echo here"));
            assertThat(headOf(in)).startsWith("HTTP/1.1 200");
        } finally {
            agent.channel().resume();
        }
    }

    @Test
    void goesOnWithoutLossWhenTheChannelIsQuietForAWhile() throws Exception {
        try (DataInputStream in =
                startCommand("for i in $(seq 400); do echo $i; sleep 0.005; done")) {
            message(in);
            StringBuilder output = new StringBuilder();
            for (int round = 0; ; round++) {
                String next = message(in);
                if (!next.contains("stdout")) {
                    break;
                }
                output.append(text(next));
                if (round == 20 || round == 60) {
                    agent.channel()
                            .quiesce(ofSeconds(5))
                            .toCompletableFuture()
                            .get(5, TimeUnit.SECONDS);
                    Thread.sleep(300);
                    agent.channel().resume();
                }
            }
            StringBuilder expected = new StringBuilder();
            for (int i = 1; i <= 400; i++) {
                expected.append(i).append('\n');
            }
            assertThat(output.toString()).isEqualTo(expected.toString());
        }
    }

    @Test
    void isNotHeldUpByClientsThatDoNotRead() throws Exception {
        List<Socket> stalled = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                stalled.add(unread("head -c 50000000 /dev/zero"));
            }
            Thread.sleep(500);
            try (DataInputStream in = startCommand("echo still here")) {
                message(in);
                assertThat(message(in)).isEqualTo(data("stdout", "still here\n"));
            }
        } finally {
            for (Socket socket : stalled) {
                socket.close();
            }
        }
    }

    @Test
    void isNotHeldUpByClientsThatDoNotSend() throws Exception {
        List<Socket> stalled = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                stalled.add(half("POST /files?path=" + files.resolve("half" + i), "abc"));
                stalled.add(half("POST /process.Process/List", "{"));
            }
            Thread.sleep(300);
            assertThat(unary("process.Process/List", "{}").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : stalled) {
                socket.close();
            }
        }
    }

    @Test
    void writesAndReadsAFileOfAnySize() throws Exception {
        byte[] content = new byte[8_000_000];
        new java.util.Random(1).nextBytes(content);
        Path file = files.resolve("some/where/b.bin");

        HttpResponse<String> written =
                client.send(
                        request("/files?username=root&path=" + file)
                                .header("Content-Type", "application/octet-stream")
                                .POST(
                                        BodyPublishers.ofInputStream(
                                                () -> new ByteArrayInputStream(content)))
                                .build(),
                        BodyHandlers.ofString());

        assertThat(written.body())
                .isEqualTo("[{\"name\":\"b.bin\",\"path\":\"" + file + "\",\"type\":\"file\"}]");
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        HttpResponse<byte[]> read =
                client.send(
                        request("/files?username=root&path=" + file).build(),
                        BodyHandlers.ofByteArray());
        assertThat(read.body()).isEqualTo(content);
        assertThat(read.headers().firstValue("Content-Disposition"))
                .contains("attachment; filename*=UTF-8''b.bin");
        assertThat(read.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }

    @Test
    @Timeout(900)
    void keepsLittleInMemoryHoweverLargeAFileIs() throws Exception {
        long size = Integer.getInteger("holdfast.repeat", 2) >= 10 ? 2L << 30 : 192L << 20;
        Path file = files.resolve("large");
        // The first file shows what is needed anyway.
        long agentBefore = through(file, 8 << 20);
        long heapBefore = usedHeap();
        long agentAfter = through(file, size);
        assertThat(agentAfter - agentBefore).as("the agent's growth").isLessThan(16 << 20);
        assertThat(usedHeap() - heapBefore).as("the server's growth").isLessThan(24 << 20);
    }

    /** Sends a file and reads it back; returns the most that the agent kept meanwhile. */
    private long through(Path file, long size) throws Exception {
        var sent = new Generated(size, agent::residentBytes);
        HttpResponse<String> written =
                client.send(
                        request("/files?username=root&path=" + file)
                                .timeout(ofSeconds(600))
                                .header("Content-Type", "application/octet-stream")
                                .POST(BodyPublishers.ofInputStream(() -> sent))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(written.statusCode()).as(written.body()).isEqualTo(200);
        var expected = new Generated(size, agent::residentBytes);
        try (InputStream read =
                client.send(
                                request("/files?username=root&path=" + file)
                                        .timeout(ofSeconds(600))
                                        .build(),
                                BodyHandlers.ofInputStream())
                        .body()) {
            byte[] piece = new byte[1 << 16];
            byte[] wanted = new byte[1 << 16];
            for (int length; (length = read.readNBytes(piece, 0, piece.length)) > 0; ) {
                assertThat(expected.readNBytes(wanted, 0, length)).isEqualTo(length);
                assertThat(java.util.Arrays.equals(piece, 0, length, wanted, 0, length)).isTrue();
            }
        }
        assertThat(expected.read()).as("all of it came back").isEqualTo(-1);
        return Math.max(sent.most, expected.most);
    }

    private static long usedHeap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(50);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Content of any size that is nowhere kept; looks at a figure now and then. */
    private static final class Generated extends InputStream {

        private final java.util.function.LongSupplier figure;
        private long left;
        private long most;

        Generated(long size, java.util.function.LongSupplier figure) {
            this.left = size;
            this.figure = figure;
        }

        @Override
        public int read() {
            return left <= 0 ? -1 : (int) (left-- * 31 >> 3) & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            if (left <= 0) {
                return -1;
            }
            if ((left & (4 << 20) - 1) < length) {
                most = Math.max(most, figure.getAsLong());
            }
            int count = (int) Math.min(length, left);
            for (int i = 0; i < count; i++) {
                to[offset + i] = (byte) ((left - i) * 31 >> 3);
            }
            left -= count;
            return count;
        }
    }

    @Test
    void writesTheFilesOfAForm() throws Exception {
        Path one = files.resolve("one ü.txt");
        Path two = files.resolve("d/two.txt");
        HttpResponse<String> written =
                form("/files?username=root", part(one, "1\r\n--x"), part(two, ""));

        assertThat(written.statusCode()).as(written.body()).isEqualTo(200);
        assertThat(Files.readString(one)).isEqualTo("1\r\n--x");
        assertThat(Files.readString(two)).isEmpty();
        assertThat(form("/files?username=root", part(one, "1"), part(one, "2")).body())
                .contains("\"code\":400", "comes twice");
    }

    @Test
    void tellsHowTheSandboxIs() throws Exception {
        String metrics = client.send(request("/metrics").build(), BodyHandlers.ofString()).body();
        assertThat(metrics).contains("\"cpu_count\":", "\"mem_total\":", "\"ts\":");
        long disk = Long.parseLong(metrics.replaceAll(".*\"disk_total\":(\\d+).*", "$1"));
        assertThat(disk).isBetween(1L << 20, 1L << 30);
    }

    @Test
    void keepsTheMetadataOfAnUpload() throws Exception {
        Path file = files.resolve("noted");
        HttpResponse<String> written = upload(file, "x", "X-Metadata-Project", "A b");
        assertThat(written.body())
                .isEqualTo(
                        "[{\"name\":\"noted\",\"path\":\""
                                + file
                                + "\",\"type\":\"file\",\"metadata\":{\"project\":\"A b\"}}]");
        String stat = unary("filesystem.Filesystem/Stat", "{\"path\":\"" + file + "\"}").body();
        assertThat(stat).contains("\"metadata\":{\"project\":\"A b\"}");
        assertThat(upload(file, "x", "X-Metadata-Other", "c").body())
                .contains("\"metadata\":{\"other\":\"c\"}");
        assertThat(upload(file, "x").body()).doesNotContain("metadata");
        assertThat(upload(file, "x", "X-Metadata-Big", "v".repeat(4090)).statusCode())
                .isEqualTo(400);
        assertThat(upload(file, "x", "X-Metadata-" + "k".repeat(247), "v").statusCode())
                .isEqualTo(400);
    }

    @Test
    void compressesWhatBecomesSmallerForThoseWhoTakeIt() throws Exception {
        byte[] text = "the same line again and again\n".repeat(200_000).getBytes();
        byte[] noise = new byte[1_000_000];
        new java.util.Random(3).nextBytes(noise);
        Files.write(files.resolve("text"), text);
        Files.write(files.resolve("noise"), noise);
        Files.write(files.resolve("small"), new byte[1023]);

        HttpResponse<byte[]> gzip = read("text", "Accept-Encoding", "gzip, deflate");
        assertThat(gzip.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(gzip.headers().firstValue("Vary")).contains("Accept-Encoding");
        assertThat(gzip.headers().firstValue("Content-Length")).isEmpty();
        assertThat(gzip.body().length).isLessThan(text.length / 20);
        assertThat(
                        new java.util.zip.GZIPInputStream(new ByteArrayInputStream(gzip.body()))
                                .readAllBytes())
                .isEqualTo(text);
        for (String[] plain :
                new String[][] {
                    {"text", "identity"},
                    {"text", "gzip;q=0"},
                    {"noise", "gzip"},
                    {"small", "gzip"}
                }) {
            HttpResponse<byte[]> read = read(plain[0], "Accept-Encoding", plain[1]);
            assertThat(read.headers().firstValue("Content-Encoding")).isEmpty();
            assertThat(read.headers().firstValueAsLong("Content-Length"))
                    .hasValue(Files.size(files.resolve(plain[0])));
            assertThat(read.body()).isEqualTo(Files.readAllBytes(files.resolve(plain[0])));
        }
        assertThat(read("text", "Accept-Encoding", "br, *;q=0").statusCode()).isEqualTo(406);
    }

    @Test
    void sendsThePartThatIsAskedFor() throws Exception {
        Files.writeString(files.resolve("f"), "0123456789");
        HttpResponse<byte[]> part = read("f", "Range", "bytes=2-4");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.headers().firstValue("Content-Range")).contains("bytes 2-4/10");
        assertThat(part.body()).asString().isEqualTo("234");
        assertThat(read("f", "Range", "bytes=7-").body()).asString().isEqualTo("789");
        HttpResponse<byte[]> end = read("f", "Range", "bytes=-3");
        assertThat(end.body()).asString().isEqualTo("789");
        assertThat(end.headers().firstValue("Content-Range")).contains("bytes 7-9/10");
        assertThat(read("f", "Range", "bytes=5-99").headers().firstValue("Content-Range"))
                .contains("bytes 5-9/10");
        for (String none : new String[] {"bytes=10-", "bytes=-0"}) {
            HttpResponse<byte[]> refused = read("f", "Range", none);
            assertThat(refused.statusCode()).isEqualTo(416);
            assertThat(refused.headers().firstValue("Content-Range")).contains("bytes */10");
        }
        for (String all : new String[] {"bytes=0-1,4-5", "lines=1-2", "bytes=4-2", "bytes=-"}) {
            assertThat(read("f", "Range", all).statusCode()).as(all).isEqualTo(200);
        }
    }

    @Test
    void tellsOfAFileWithoutSendingIt() throws Exception {
        Files.writeString(files.resolve("f"), "0123456789");
        HttpResponse<byte[]> head =
                client.send(
                        request("/files?username=root&path=" + files.resolve("f"))
                                .method("HEAD", BodyPublishers.noBody())
                                .build(),
                        BodyHandlers.ofByteArray());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(10);
        assertThat(head.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(head.body()).isEmpty();
    }

    @Test
    void givesUpOnABodyThatStalls() throws Exception {
        for (String line :
                new String[] {
                    "POST /files?username=root&path=" + files.resolve("stalled"),
                    "POST /process.Process/List"
                }) {
            try (Socket socket = half(line, "{")) {
                socket.setSoTimeout(20_000);
                byte[] answer = new byte[12];
                new DataInputStream(socket.getInputStream()).readFully(answer);
                assertThat(answer).asString().isEqualTo("HTTP/1.1 408");
            }
        }
        assertThat(unary("process.Process/List", "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void streamsWhatHappensInADirectory() throws Exception {
        try (DataInputStream in =
                stream(
                        "filesystem.Filesystem/WatchDir",
                        "{\"path\":\"" + files + "\",\"recursive\":true,\"includeEntry\":true}",
                        "Keepalive-Ping-Interval",
                        "1")) {
            assertThat(message(in)).isEqualTo("{\"start\":{}}");
            assertThat(message(in)).isEqualTo("{\"keepalive\":{}}");
            Files.createDirectory(files.resolve("d"));
            assertThat(message(in))
                    .startsWith(
                            "{\"filesystem\":{\"name\":\"d\","
                                    + "\"type\":\"EVENT_TYPE_CREATE\",\"entry\":{\"name\":\"d\"")
                    .contains("\"FILE_TYPE_DIRECTORY\"");
            Files.delete(files.resolve("d"));
            assertThat(message(in))
                    .isEqualTo(
                            "{\"filesystem\":{\"name\":\"d\","
                                    + "\"type\":\"EVENT_TYPE_REMOVE\"}}");
        }
        try (DataInputStream in =
                stream(
                        "filesystem.Filesystem/WatchDir",
                        "{\"path\":\"" + files + "\"}",
                        "Connect-Timeout-Ms",
                        "300")) {
            message(in);
            assertThat(message(in)).startsWith("END {\"error\":{\"code\":\"deadline_exceeded\"");
        }
        try (DataInputStream in =
                stream("filesystem.Filesystem/WatchDir", "{\"path\":\"" + files + "/no\"}")) {
            assertThat(message(in)).startsWith("END {\"error\":{\"code\":\"not_found\"");
        }
    }

    @Test
    void collectsWhatHappensUntilItIsAskedFor() throws Exception {
        String service = "filesystem.Filesystem/";
        String created = unary(service + "CreateWatcher", "{\"path\":\"" + files + "\"}").body();
        String which = "{" + created.substring(1);
        assertThat(created).startsWith("{\"watcherId\":\"");
        upload(files.resolve("a"), "x");
        String name = "{\"name\":\"a\",\"type\":\"EVENT_TYPE_";
        assertThat(unary(service + "GetWatcherEvents", which).body())
                .isEqualTo(
                        "{\"events\":["
                                + name
                                + "CREATE\"},"
                                + name
                                + "CHMOD\"},"
                                + name
                                + "WRITE\"}]}");
        assertThat(unary(service + "GetWatcherEvents", which).body()).isEqualTo("{\"events\":[]}");
        assertThat(unary(service + "RemoveWatcher", which).body()).isEqualTo("{}");
        assertThat(unary(service + "GetWatcherEvents", which).statusCode()).isEqualTo(404);
        assertThat(unary(service + "RemoveWatcher", which).statusCode()).isEqualTo(404);
        Files.writeString(files.resolve("file"), "x");
        assertThat(
                        unary(
                                        service + "CreateWatcher",
                                        "{\"path\":\"" + files.resolve("file") + "\"}")
                                .body())
                .contains("\"invalid_argument\"");
    }

    @Test
    void keepsMoreEventsThanTheAgentHasCreditForAndSaysWhenItLostSome() throws Exception {
        String service = "filesystem.Filesystem/";
        String which = unary(service + "CreateWatcher", "{\"path\":\"" + files + "\"}").body();
        String name = "n".repeat(200);
        int made = 3_000;
        for (int i = 0; i < made; i++) {
            Files.createFile(files.resolve(name + i));
        }
        String events = unary(service + "GetWatcherEvents", which).body();
        assertThat(events.split("EVENT_TYPE_CREATE", -1)).hasSize(made + 1);

        for (int i = 0; i < 40_000; i++) {
            Files.deleteIfExists(files.resolve(name + i % 7));
            Files.createFile(files.resolve(name + i % 7));
        }
        HttpResponse<String> last = unary(service + "GetWatcherEvents", which);
        for (int i = 0; i < 20 && last.statusCode() == 200; i++) {
            last = unary(service + "GetWatcherEvents", which);
        }
        assertThat(last.statusCode()).isEqualTo(429);
        assertThat(last.body()).contains("events were lost");
        assertThat(unary(service + "GetWatcherEvents", which).statusCode()).isEqualTo(404);
    }

    @Test
    void takesInputInAStreamOfMessages() throws Exception {
        try (DataInputStream in =
                stream(
                        "process.Process/Start",
                        "{\"process\":{\"cmd\":\"cat\"},\"stdin\":true,\"tag\":\"in\"}")) {
            message(in);
            String start = "{\"start\":{\"process\":{\"tag\":\"in\"}}}";
            try (Socket open = streamingInput()) {
                chunk(open, start);
                chunk(open, "{\"data\":{\"input\":{\"stdin\":\"YQ==\"}}}");
                assertThat(message(in)).isEqualTo(data("stdout", "a"));
                chunk(open, "{\"keepalive\":{}}");
                chunk(open, "{\"data\":{\"input\":{\"stdin\":\"Yg==\"}}}");
                assertThat(message(in)).isEqualTo(data("stdout", "b"));
                write(open, "0\r\n\r\n");
                DataInputStream answer = answerOf(open);
                assertThat(message(answer)).isEqualTo("{}");
                assertThat(message(answer)).isEqualTo("END {}");
            }
            try (Socket open = streamingInput()) {
                chunk(open, start);
                chunk(open, "{\"data\":{\"input\":{\"pty\":\"YQ==\"}}}");
                assertThat(message(answerOf(open))).contains("\"code\":\"internal\"");
            }
            unary("process.Process/CloseStdin", "{\"process\":{\"tag\":\"in\"}}");
            assertThat(message(in)).contains("\"exitCode\":0");
            try (Socket open = streamingInput()) {
                chunk(open, start);
                write(open, "0\r\n\r\n");
                assertThat(message(answerOf(open))).contains("\"code\":\"not_found\"");
            }
            try (Socket open = streamingInput()) {
                chunk(open, "{\"data\":{\"input\":{\"stdin\":\"YQ==\"}}}");
                assertThat(message(answerOf(open))).contains("\"code\":\"invalid_argument\"");
            }
        }
    }

    @Test
    void tellsOfFilesThatCannotBeReadOrWritten() throws Exception {
        assertThat(get("/files?username=root&path=" + files.resolve("nope")))
                .isEqualTo(
                        "404 {\"code\":404,\"message\":\"path '"
                                + files.resolve("nope")
                                + "' does not exist\"}");
        assertThat(get("/files?username=root&path=" + files)).startsWith("400 ");
        assertThat(get("/files?username=nobody-here&path=x")).startsWith("401 ");
        assertThat(get("/files")).startsWith("400 ");
        assertThat(form("/files?username=root", part(files, "x")).statusCode()).isEqualTo(400);
    }

    @Test
    void refusesInTheDialectOfTheCall() throws Exception {
        HttpResponse<String> missing =
                unary("filesystem.Filesystem/Stat", "{\"path\":\"/nope\"}", "root");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body()).startsWith("{\"code\":\"not_found\"");
        HttpResponse<String> stranger =
                unary("filesystem.Filesystem/Stat", "{\"path\":\"/\"}", "nobody-here");
        assertThat(stranger.statusCode()).isEqualTo(401);
        assertThat(stranger.body()).startsWith("{\"code\":\"unauthenticated\"");
        assertThat(unary("filesystem.Filesystem/Nope", "{}").body()).startsWith("{\"code\":404");
        for (String wrong :
                new String[] {
                    "[]",
                    "",
                    "{",
                    "{\"path\":5}",
                    "{\"a\":".repeat(100_000),
                    "{\"path\":\"\\ud800\"}"
                }) {
            assertThat(unary("filesystem.Filesystem/Remove", wrong).body())
                    .as("%.40s", wrong)
                    .startsWith("{\"code\":\"invalid_argument\"");
        }
        try (DataInputStream in =
                stream("process.Process/Connect", "{\"process\":{\"pid\":999999}}")) {
            assertThat(message(in))
                    .isEqualTo(
                            "END {\"error\":{\"code\":\"not_found\","
                                    + "\"message\":\"process with pid 999999 not found\"}}");
        }
    }

    private static Duration ofSeconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    private DataInputStream startCommand(String command, String... headers) throws Exception {
        return stream("process.Process/Start", start(command), headers);
    }

    private static String start(String command) {
        return "{\"process\":{\"cmd\":\"/bin/sh\",\"args\":[\"-c\",\"" + command + "\"]}}";
    }

    private DataInputStream stream(String method, String json, String... headers) throws Exception {
        HttpRequest.Builder request =
                request("/" + method)
                        .header("Content-Type", "application/connect+json")
                        .header("Authorization", basic("root"))
                        .POST(
                                BodyPublishers.ofByteArray(
                                        Envelope.message(json.getBytes(StandardCharsets.UTF_8))));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<InputStream> response =
                client.send(request.build(), BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type"))
                .contains("application/connect+json");
        return new DataInputStream(response.body());
    }

    private HttpResponse<String> unary(String method, String json) throws Exception {
        return unary(method, json, "root");
    }

    private HttpResponse<String> unary(String method, String json, String user) throws Exception {
        return client.send(
                request("/" + method)
                        .header("Content-Type", "application/json")
                        .header("Authorization", basic(user))
                        .POST(BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
    }

    private String get(String path) throws Exception {
        HttpResponse<String> response = client.send(request(path).build(), BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private HttpResponse<String> form(String path, String... parts) throws Exception {
        return client.send(
                request(path)
                        .header("Content-Type", "multipart/form-data; boundary=\"xyz\"")
                        .POST(BodyPublishers.ofString(String.join("", parts) + "--xyz--\r\n"))
                        .build(),
                BodyHandlers.ofString());
    }

    private static String part(Path path, String content) {
        return "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\""
                + path
                + "\"\r\n\r\n"
                + content
                + "\r\n";
    }

    private Socket unread(String command) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(
                new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        ask(socket, start(command));
        return socket;
    }

    private void ask(Socket socket, String json) throws IOException {
        byte[] body = Envelope.message(json.getBytes(StandardCharsets.UTF_8));
        write(
                socket,
                "POST /process.Process/Start HTTP/1.1\r\n"
                        + head()
                        + "Content-Type: application/connect+json\r\nContent-Length: "
                        + body.length
                        + "\r\n\r\n"
                        + new String(body, StandardCharsets.ISO_8859_1));
    }

    private HttpResponse<byte[]> read(String name, String... headers) throws Exception {
        return client.send(
                request("/files?username=root&path=" + files.resolve(name))
                        .headers(headers)
                        .build(),
                BodyHandlers.ofByteArray());
    }

    private HttpResponse<String> upload(Path file, String content, String... headers)
            throws Exception {
        HttpRequest.Builder upload =
                request("/files?username=root&path=" + file)
                        .header("Content-Type", "application/octet-stream")
                        .POST(BodyPublishers.ofString(content));
        for (int i = 0; i < headers.length; i += 2) {
            upload.header(headers[i], headers[i + 1]);
        }
        return client.send(upload.build(), BodyHandlers.ofString());
    }

    private Socket streamingInput() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(20_000);
        write(
                socket,
                "POST /process.Process/StreamInput HTTP/1.1\r\n"
                        + head()
                        + "Content-Type: application/connect+json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n");
        return socket;
    }

    private static void chunk(Socket socket, String json) throws IOException {
        byte[] envelope = Envelope.message(json.getBytes(StandardCharsets.UTF_8));
        write(
                socket,
                Integer.toHexString(envelope.length)
                        + "\r\n"
                        + new String(envelope, StandardCharsets.ISO_8859_1)
                        + "\r\n");
    }

    /** The body of an answer with a known length. */
    private static DataInputStream answerOf(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        assertThat(headOf(in)).startsWith("HTTP/1.1 200");
        return in;
    }

    private static String headOf(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    private Socket half(String line, String begin) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        String type = line.contains("/files") ? "application/octet-stream" : "application/json";
        write(
                socket,
                line
                        + " HTTP/1.1\r\n"
                        + head()
                        + "Content-Type: "
                        + type
                        + "\r\nContent-Length: 1000\r\n\r\n"
                        + begin);
        return socket;
    }

    private String head() {
        return "Host: 49983-itest.x\r\nAuthorization: "
                + basic("root")
                + "\r\nX-Access-Token: "
                + tokens.access(ID)
                + "\r\n";
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private void awaitEnd(String pid) throws Exception {
        for (int i = 0; i < 50; i++) {
            if (!unary("process.Process/List", "{}").body().contains("\"pid\":" + pid)) {
                return;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("process " + pid + " is left");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path.replace(" ", "%20")))
                .timeout(ofSeconds(60))
                .header("E2b-Sandbox-Id", ID.value())
                .header("E2b-Sandbox-Port", "49983")
                .header("X-Access-Token", tokens.access(ID));
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private static String basic(String user) {
        return "Basic "
                + Base64.getEncoder().encodeToString((user + ":").getBytes(StandardCharsets.UTF_8));
    }

    private static String data(String channel, String text) {
        String encoded = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return "{\"event\":{\"data\":{\"" + channel + "\":\"" + encoded + "\"}}}";
    }

    private static String text(String message) {
        String encoded = message.replaceAll(".*\"stdout\":\"([^\"]*)\".*", "$1");
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    private static String message(DataInputStream in) throws IOException {
        int flags = in.readUnsignedByte();
        byte[] payload = in.readNBytes(in.readInt());
        if (payload.length == 0 && in.available() < 0) {
            throw new EOFException();
        }
        return (flags == 2 ? "END " : "") + new String(payload, StandardCharsets.UTF_8);
    }
}
