package dev.holdfast.envd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.RealAgent;
import dev.holdfast.gateway.TestServer;
import dev.holdfast.gateway.WaitingRoom;
import dev.holdfast.sandbox.KnownTokens;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.worker.LiveSandboxes;
import dev.holdfast.worker.Planted;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that ask for much and read nothing: each keeps within its credit, and all of them
 * together within the server's room.
 */
@Timeout(120)
class SlowReadersTest {

    private static final SandboxId ID = new SandboxId("islow");
    private static final int READERS = 8;

    /** Less than half of them may let wait. */
    private static final long ROOM = 1024 * 1024;

    private static final LiveSandboxes sandboxes = new LiveSandboxes();
    private static final SandboxTokens tokens = KnownTokens.of(new byte[32]);
    private static final WaitingRoom waiting = new WaitingRoom(ROOM);
    private static RealAgent agent;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        agent = RealAgent.start();
        server = new TestServer(EnvdApplication.class, sandboxes, tokens, waiting);
        Planted.add(sandboxes, ID, agent.channel(), true, true);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        agent.close();
    }

    @Test
    void endsTheOneThatLetsTheMostWaitAndSaysWhyAndLeavesTheOthers() throws Exception {
        List<Socket> readers = new ArrayList<>();
        try {
            for (int i = 0; i < READERS; i++) {
                readers.add(unread("yes " + "0123456789".repeat(10) + " | head -c 20000000"));
            }
            long most = 0;
            for (int i = 0; i < 300 && most < ROOM; i++) {
                most = Math.max(most, waiting.used());
                Thread.sleep(10);
            }
            List<CompletableFuture<String>> ends =
                    readers.stream()
                            .map(each -> CompletableFuture.supplyAsync(() -> endOf(each)))
                            .toList();
            List<String> words = new ArrayList<>();
            for (CompletableFuture<String> end : ends) {
                words.add(end.get(60, TimeUnit.SECONDS));
            }

            assertThat(words).filteredOn("{}"::equals).hasSizeGreaterThanOrEqualTo(2);
            assertThat(words).filteredOn(word -> word.contains("reader_too_slow")).isNotEmpty();
            assertThat(words).allMatch(word -> !word.equals("broken"));
            assertThat(most).isLessThan(2 * ROOM);
            for (int i = 0; i < 100 && waiting.used() > 0; i++) {
                Thread.sleep(20);
            }
            assertThat(waiting.used()).isZero();
        } finally {
            for (Socket each : readers) {
                each.close();
            }
        }
    }

    @Test
    void keepsNothingForAClientThatHasGone() throws Exception {
        try (Socket socket = unread("head -c 20000000 /dev/zero")) {
            for (int i = 0; i < 500 && waiting.used() < 200_000; i++) {
                Thread.sleep(10);
            }
            assertThat(waiting.used()).isGreaterThan(200_000);
            socket.setSoLinger(true, 0);
        }
        for (int i = 0; i < 500 && waiting.used() > 0; i++) {
            Thread.sleep(10);
        }
        assertThat(waiting.used()).isZero();
    }

    private static Socket unread(String command) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        byte[] body =
                Envelope.message(
                        "{\"process\":{\"cmd\":\"sh\",\"args\":[\"-c\",\"%s\"]}}"
                                .formatted(command)
                                .getBytes(StandardCharsets.UTF_8));
        String head =
                ("POST /process.Process/Start HTTP/1.1\r\n"
                                + "Host: 49983-%s.x\r\n"
                                + "X-Access-Token: %s\r\n"
                                + "Content-Type: application/connect+json\r\n"
                                + "Content-Length: %d\r\n\r\n")
                        .formatted(ID.value(), tokens.access(ID), body.length);
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(body);
        return socket;
    }

    /** What the last message says; {@code broken} without one. */
    private static String endOf(Socket socket) {
        try (Chunks in = new Chunks(new DataInputStream(socket.getInputStream()))) {
            while (true) {
                byte[] head = in.bytes(Envelope.HEADER);
                int length = java.nio.ByteBuffer.wrap(head, 1, 4).getInt();
                byte[] message = in.bytes(length);
                if (head[0] == 2) {
                    return new String(message, StandardCharsets.UTF_8);
                }
            }
        } catch (EOFException | SocketException e) {
            return "broken";
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A chunked answer, behind its head. */
    private static final class Chunks implements AutoCloseable {

        private final DataInputStream in;
        private int left;

        Chunks(DataInputStream in) throws IOException {
            this.in = new DataInputStream(new java.io.BufferedInputStream(in));
            String line = line();
            assertThat(line).startsWith("HTTP/1.1 200");
            while (!line.isEmpty()) {
                line = line();
            }
        }

        byte[] bytes(int count) throws IOException {
            byte[] bytes = new byte[count];
            for (int at = 0; at < count; ) {
                if (left == 0) {
                    begin();
                }
                int more = Math.min(left, count - at);
                in.readFully(bytes, at, more);
                at += more;
                left -= more;
                if (left == 0) {
                    line();
                }
            }
            return bytes;
        }

        private void begin() throws IOException {
            left = Integer.parseInt(line().toLowerCase(Locale.ROOT), 16);
            if (left == 0) {
                throw new EOFException();
            }
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
                line.append((char) next);
            }
            return line.toString().strip();
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
