package dev.holdfast.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.audit.AddressBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OutletTest {
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);

    private final ScheduledExecutorService guard = Executors.newScheduledThreadPool(3);
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void starts() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        answer("/good", 204, "");
        answer("/large", 200, "x".repeat(1_000_000));
        answer("/refused", 500, "not now");
        server.createContext(
                "/moved",
                exchange -> {
                    asked.incrementAndGet();
                    exchange.getResponseHeaders().add("Location", "/good");
                    exchange.sendResponseHeaders(302, -1);
                    exchange.close();
                });
        server.createContext(
                "/spelled",
                exchange -> {
                    exchange.sendResponseHeaders(200, 0);
                    try (var out = exchange.getResponseBody()) {
                        for (int i = 0; i < 200; i++) {
                            out.write('x');
                            out.flush();
                            pause(50);
                        }
                    }
                });
        server.createContext("/silent", exchange -> pause(5_000));
        server.start();
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stops() {
        server.stop(0);
        guard.shutdownNow();
    }

    private void answer(String path, int status, String text) {
        server.createContext(
                path,
                exchange -> {
                    asked.incrementAndGet();
                    exchange.getRequestBody().readAllBytes();
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                    if (bytes.length > 0) {
                        exchange.getResponseBody().write(bytes);
                    }
                    exchange.close();
                });
    }

    private Answer post(String allowed, String path) {
        return post(allowed, server.getAddress().getPort(), path);
    }

    private Answer post(String allowed, int port, String path) {
        var outlet =
                new Outlet(
                        new Reach(AddressBlock.list(allowed)),
                        Duration.ofSeconds(1),
                        (SSLSocketFactory) SSLSocketFactory.getDefault(),
                        guard,
                        guard);
        var to = Destination.of("http://localhost:" + port + path);
        return outlet.post(to, Map.of("webhook-id", "1"), BODY);
    }

    @Test
    void whatIsInsideIsNotEvenConnectedTo() {
        assertThat(post("", "/good").status()).isEmpty();
        assertThat(post("", "/good").detail()).contains("unless the operator allows it");
        assertThat(asked).hasValue(0);
    }

    @Test
    void whatIsAllowedAnswersAndNoRedirectIsFollowed() {
        assertThat(post("127.0.0.1,::1", "/good").isTaken()).isTrue();
        var moved = post("127.0.0.1,::1", "/moved");
        assertThat(moved.isTaken()).isFalse();
        assertThat(moved.status()).hasValue(302);
        assertThat(asked).hasValue(2);
        assertThat(post("127.0.0.1,::1", "/refused").detail()).isEqualTo("not now");
    }

    @Test
    void anAnswerIsBoundedInSizeAndTime() {
        var large = post("127.0.0.1,::1", "/large");
        assertThat(large.isTaken()).isTrue();
        assertThat(large.detail()).hasSize(500);
        for (var slow : List.of("/spelled", "/silent")) {
            long before = System.nanoTime();
            post("127.0.0.1,::1", slow);
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .as(slow)
                    .isLessThan(Duration.ofSeconds(3));
        }
        assertThat(post("127.0.0.1,::1", "/silent").detail()).contains("no answer within 1 s");
    }

    @Test
    void anAnswerIsReadUntilItIsWhole() {
        assertThat(Outlet.isWhole("HTTP/1.1 204 No Content\r\n")).isFalse();
        assertThat(Outlet.isWhole("HTTP/1.1 204 No Content\r\n\r\n")).isTrue();
        assertThat(Outlet.isWhole("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no")).isFalse();
        assertThat(Outlet.isWhole("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")).isTrue();
        assertThat(Outlet.isWhole("HTTP/1.1 200 OK\r\n\r\ncontent-length: 0\r\n")).isFalse();
    }

    /** It answers and closes before it has read what was sent, so the connection is reset. */
    @Test
    void whatWasAnsweredCountsAlthoughTheConnectionBreaks() throws Exception {
        try (var hasty = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            guard.execute(
                    () -> {
                        try (var socket = hasty.accept()) {
                            socket.getOutputStream()
                                    .write("HTTP/1.1 200 OK\r\n\r\n".getBytes(UTF_8));
                            pause(200);
                            socket.setSoLinger(true, 0);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
            assertThat(post("127.0.0.1,::1", hasty.getLocalPort(), "/").isTaken()).isTrue();
        }
    }

    @Test
    void whatDoesNotSpeakHttpIsNoAnswer() {
        assertThat(Outlet.answer("SSH-2.0-x\r\n").status()).isEmpty();
        assertThat(Outlet.answer("").status()).isEmpty();
        assertThat(Outlet.answer("HTTP/1.1 410 Gone\r\n\r\n").isGone()).isTrue();
    }
}
