package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sandbox.KnownTokens;
import dev.holdfast.worker.LiveSandboxes;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads before an application that reads every body to its end, as the container does. */
@Timeout(30)
class UploadsTest {

    private static final HttpHandler APPLICATION =
            exchange -> {
                if (exchange.getRequestHeaders().contains("Admitted")) {
                    Gateway.admit(exchange);
                }
                int length = exchange.getInputStream().readAllBytes().length;
                exchange.getResponseSender().send("read " + length);
            };

    private Undertow server;

    @BeforeEach
    void starts() {
        server =
                Undertow.builder()
                        .addHttpListener(
                                0,
                                "127.0.0.1",
                                new GatewayHandler(
                                        new BlockingHandler(APPLICATION),
                                        new LiveSandboxes(),
                                        KnownTokens.of(new byte[32])))
                        .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L)
                        .setIoThreads(1)
                        .setWorkerThreads(1)
                        .build();
        server.start();
    }

    @AfterEach
    void stops() {
        server.stop();
    }

    @Test
    void showsAnUploadThatNobodyAdmittedAsEmptyAndEndsItsConnection() throws IOException {
        try (var never = begin("", 1 << 30)) {
            var answer = answer(never);
            assertThat(answer).startsWith("HTTP/1.1 200").endsWith("read 0");
            assertThat(answer).containsIgnoringCase("Connection: close");
        }
        try (var whole = begin("", 5)) {
            assertThat(answer(whole)).containsIgnoringCase("Connection: close").endsWith("read 0");
        }
    }

    @Test
    void readsOneThatWasAdmittedAndKeepsItsConnection() throws IOException {
        try (var upload = begin("Admitted: yes\r\n", 10)) {
            write(upload, "67890");
            assertThat(answer(upload))
                    .doesNotContainIgnoringCase("Connection: close")
                    .endsWith("read 10");
            write(upload, head("Admitted: yes\r\n", 5) + "again");
            assertThat(answer(upload)).endsWith("read 5");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PUT /api/v1/projects/mine/volumes/data/files/content?path=/x",
                "PUT /volumecontent/0b9ad7ce-5a7e-4b1f-8e0c-6c2f1f6f2a10/file?path=/x"
            })
    void letsAFileOfAVolumeInAsItComesAndNotBefore(String line) throws IOException {
        var head =
                line
                        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
                        + "Content-Length: 5\r\n";
        try (var refused = connect()) {
            write(refused, head + "\r\n12345");
            assertThat(answer(refused))
                    .containsIgnoringCase("Connection: close")
                    .endsWith("read 0");
        }
        try (var admitted = connect()) {
            write(admitted, head + "Admitted: yes\r\n\r\n12");
            write(admitted, "345");
            assertThat(answer(admitted)).endsWith("read 5");
        }
    }

    private Socket connect() throws IOException {
        var address = (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        var socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private Socket begin(String header, long length) throws IOException {
        var socket = connect();
        write(socket, head(header, length) + "12345");
        return socket;
    }

    private static String head(String header, long length) {
        return "POST /api/v1/projects/mine/templates?name=x HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/x-tar\r\n"
                + header
                + "Content-Length: "
                + length
                + "\r\n\r\n";
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String answer(Socket socket) throws IOException {
        var text = new StringBuilder();
        while (!text.toString().matches("(?s).*\r\n\r\nread \\d+")) {
            var next = socket.getInputStream().readNBytes(1);
            assertThat(next).as("after " + text).hasSize(1);
            text.append((char) next[0]);
            if (text.toString().endsWith("read 1")) {
                text.append((char) socket.getInputStream().read());
            }
        }
        return text.toString();
    }
}
