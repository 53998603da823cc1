package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.sandbox.KnownTokens;
import dev.holdfast.sandbox.NetworkPolicy;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.worker.LiveSandboxes;
import dev.holdfast.worker.Planted;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Speaks to the handler over sockets, byte by byte where it matters. */
@Timeout(60)
class GatewayHandlerTest {

    private static final SandboxId OPEN = new SandboxId("iopen");
    private static final SandboxId GUARDED = new SandboxId("iguarded");
    private static final String OK =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=1\r\n\r\nhi";

    private final LiveSandboxes sandboxes = new LiveSandboxes();
    private final SandboxTokens tokens = KnownTokens.of(new byte[32]);
    private Undertow server;
    private int port;

    @BeforeEach
    void start() {
        Planted.add(sandboxes, OPEN, null, true, true);
        Planted.add(sandboxes, GUARDED, null, true, false);
        GatewayHandler gateway =
                new GatewayHandler(
                        x -> x.getResponseSender().send("application " + x.getRequestURI()),
                        sandboxes,
                        tokens);
        server =
                Undertow.builder()
                        .addHttpListener(0, "127.0.0.1", gateway)
                        .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                        .setIoThreads(2)
                        .setWorkerThreads(1)
                        .build();
        server.start();
        port = ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void leavesTheControlPlaneAlone() throws IOException {
        assertThat(get("/health", "Host: localhost")).endsWith("application /health");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/-/envd/health",
                "/-/envd",
                "/-",
                "/%2d/envd/health",
                "//-/envd/health",
                "/x/../-/envd/health",
                "/./-/envd",
                "http://localhost/-/envd/health",
            })
    void hidesTheInternalPrefix(String path) throws IOException {
        assertThat(get(path, "Host: localhost")).startsWith("HTTP/1.1 404");
    }

    @Test
    void tellsOfAMissingSandboxBeforeAskingForATokenAndOnEveryPort() throws IOException {
        for (String asked : new String[] {"49983", "49999", "3000"}) {
            assertThat(get("/health", "Host: " + asked + "-igone.box.example"))
                    .startsWith("HTTP/1.1 502")
                    .contains("\"sandboxId\":\"igone\"")
                    .contains("\"message\":\"The sandbox was not found\"")
                    .contains("\"code\":502");
        }
    }

    @Test
    void demandsTheAccessTokenButNotForHealth() throws IOException {
        String host = "Host: 49983-iopen.box.example";
        String token = "X-Access-Token: " + tokens.access(OPEN);

        assertThat(get("/health", host)).endsWith("application /-/envd/health");
        assertThat(get("/files?path=x", host)).startsWith("HTTP/1.1 401").contains("\"code\":401");
        assertThat(get("/files?path=x", host, "X-Access-Token: " + tokens.access(GUARDED)))
                .startsWith("HTTP/1.1 401");
        assertThat(get("/files?path=x", host, token)).endsWith("application /-/envd/files");
        assertThat(get("/a%2Fb/c", host, token)).endsWith("application /-/envd/a%2Fb/c");
        assertThat(send("POST /health", "", host)).startsWith("HTTP/1.1 401");
    }

    @Test
    void takesASignatureForATokenAndSaysWhatIsWrongWithIt() throws IOException {
        String host = "Host: 49983-iopen.box.example";
        String foreign = "X-Access-Token: " + tokens.access(GUARDED);
        String read = "/files?path=a%20b.txt" + signature("a b.txt:read:", OPEN);
        assertThat(get(read, host)).endsWith("application /-/envd/files");
        assertThat(get(read, host, foreign))
                .startsWith("HTTP/1.1 401")
                .contains("access token present in header but does not match");
        assertThat(get("/files?path=x", host)).contains("missing signature query parameter");
        assertThat(get("/files?path=x&signature=v1_x", host)).contains("invalid signature");
        assertThat(send("POST " + read, "", host)).contains("invalid signature");
        String late = ":1700000000&signature_expiration=1700000000";
        assertThat(get("/files?path=x" + signature("x:read:", OPEN, late), host))
                .contains("signature is already expired");
        assertThat(get("/metrics?x=1" + signature("x:read:", OPEN), host))
                .contains("please provide a valid access token");
    }

    @Test
    void asksForNoTokenWhereTheSandboxHasNone() throws IOException {
        Planted.add(sandboxes, new SandboxId("iunsecured"), null, false, true);
        String host = "Host: 49983-iunsecured.x";
        assertThat(get("/files?path=x", host)).endsWith("application /-/envd/files");
        assertThat(send("POST /process.Process/List", "", host))
                .endsWith("application /-/envd/process.Process/List");
        assertThat(get("/init", host)).startsWith("HTTP/1.1 404");
    }

    @Test
    void findsTheSandboxOfASignedAddressThatNamesNone() throws IOException {
        String host = "Host: localhost:8080";
        String read = "/files?path=x&username=root" + signature("x:read:root", GUARDED);
        assertThat(get(read, host)).endsWith("application /-/envd/files");
        assertThat(send("POST /files?x=1" + signature(":write:", OPEN), "", host))
                .endsWith("application /-/envd/files");
        assertThat(get("/files?path=y&signature=v1_" + "A".repeat(43), host))
                .startsWith("HTTP/1.1 401")
                .contains("invalid signature");
        assertThat(get("/files?path=y", host)).endsWith("application /files");
        Planted.remove(sandboxes, GUARDED);
        assertThat(get(read, host)).startsWith("HTTP/1.1 401");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/init",
                "/freeze",
                "/unfreeze",
                "/collapse",
                "/fsfreeze",
                "/fsthaw",
                "/upgrade",
                "/init/",
                "/INIT",
                "/%69nit",
                "//init",
                "/x/../init",
            })
    void hidesWhatOnlyAServerMayAsk(String path) throws IOException {
        assertThat(get(path, "Host: 49983-iopen.x", "X-Access-Token: " + tokens.access(OPEN)))
                .startsWith("HTTP/1.1 404");
    }

    @Test
    void refusesMalformedTargets() throws IOException {
        assertThat(get("/", "Host: localhost", "E2b-Sandbox-Id: iopen")).startsWith("HTTP/1.1 400");
        assertThat(get("/", "Host: 0-iopen.x")).startsWith("HTTP/1.1 400").contains("\"code\":400");
    }

    @Test
    void passesARequestThroughWithItsHostAndWithoutOurCredentials() throws Exception {
        try (Upstream upstream = new Upstream(Upstream.answers(OK))) {
            String answer =
                    get(
                            "/p%2Fath?q=%20x",
                            "Host: " + upstream.port() + "-iopen.box.example:8443",
                            "X-API-Key: e2b_secret",
                            "X-Access-Token: t",
                            "X-Forwarded-For: 6.6.6.6",
                            "X-Forwarded-Host: evil",
                            "Authorization: Bearer own");

            assertThat(answer)
                    .startsWith("HTTP/1.1 200")
                    .contains("Set-Cookie: a=1")
                    .endsWith("hi");
            assertThat(upstream.head())
                    .startsWith("GET /p%2Fath?q=%20x HTTP/1.1\r\n")
                    .contains("Host: " + upstream.port() + "-iopen.box.example:8443\r\n")
                    .contains("X-Forwarded-For: 127.0.0.1\r\n")
                    .contains("X-Forwarded-Proto: http\r\n")
                    .contains("X-Forwarded-Host: " + upstream.port() + "-iopen.box.example:8443")
                    .contains("Authorization: Bearer own")
                    .doesNotContain("6.6.6.6", "evil", "e2b_secret", "X-Access-Token");
        }
    }

    @Test
    void dropsSetCookieWhereTheHostIsOurs() throws Exception {
        try (Upstream upstream = new Upstream(Upstream.answers(OK))) {
            assertThat(
                            get(
                                    "/",
                                    "Host: localhost",
                                    "E2b-Sandbox-Id: iopen",
                                    "E2b-Sandbox-Port: " + upstream.port()))
                    .startsWith("HTTP/1.1 200")
                    .doesNotContainIgnoringCase("set-cookie");
        }
    }

    @Test
    void demandsTheTrafficTokenWhereTrafficIsNotPublic() throws Exception {
        try (Upstream upstream = new Upstream(Upstream.answers(OK))) {
            String host = "Host: " + upstream.port() + "-iguarded.x";
            String token = "e2b-traffic-access-token: " + tokens.traffic(GUARDED);

            assertThat(get("/", host)).startsWith("HTTP/1.1 403").contains("\"code\":403");
            assertThat(get("/", host, token)).startsWith("HTTP/1.1 200");
            assertThat(upstream.head()).doesNotContainIgnoringCase("traffic");
            String interpreter = "Host: 49999-iguarded.x";
            assertThat(get("/execute", interpreter)).startsWith("HTTP/1.1 403");
            assertThat(get("/execute", interpreter, token))
                    .endsWith("application /-/interpreter/execute");
        }
    }

    @Test
    void showsTheProgramTheHostThatItsOwnerWantsItToSee() throws Exception {
        SandboxId id = new SandboxId("imasked");
        Planted.add(
                sandboxes,
                id,
                null,
                true,
                new NetworkPolicy(
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        true,
                        Optional.of("localhost:${PORT}")));
        try (Upstream upstream = new Upstream(Upstream.answers(OK))) {
            String host = upstream.port() + "-imasked.box.example";

            assertThat(get("/", "Host: " + host)).startsWith("HTTP/1.1 200");
            assertThat(upstream.head())
                    .contains("Host: localhost:" + upstream.port() + "\r\n")
                    .contains("X-Forwarded-Host: " + host + "\r\n");
        }
    }

    @Test
    void handsOnAtOnceWhatAProgramSaysOverHttp2Too() throws Exception {
        var release = new CountDownLatch(1);
        Upstream.Behaviour talk =
                (in, out) -> {
                    out.write(
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
                                    .getBytes());
                    out.flush();
                    release.await(20, TimeUnit.SECONDS);
                    out.write("1\r\ny\r\n0\r\n\r\n".getBytes());
                };
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        try (Upstream upstream = new Upstream(talk)) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                            .header("E2b-Sandbox-Id", "iopen")
                            .header("E2b-Sandbox-Port", Integer.toString(upstream.port()))
                            .timeout(Duration.ofSeconds(10))
                            .build();
            HttpResponse<InputStream> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            var first = CompletableFuture.supplyAsync(() -> read(answer.body()));
            assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo('x');
            release.countDown();
            assertThat(answer.body().readAllBytes()).asString().isEqualTo("y");
        }
    }

    private static int read(InputStream in) {
        try {
            return in.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void tellsThatNothingListens() throws IOException {
        int free;
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = probe.getLocalPort();
        }
        assertThat(get("/", "Host: " + free + "-iopen.x"))
                .startsWith("HTTP/1.1 502")
                .contains("\"message\":\"The sandbox is running but port is not open\"")
                .contains("\"port\":" + free);
    }

    @Test
    void leadsThePortOfTheCodeInterpreterToIt() throws IOException {
        assertThat(get("/contexts/a%2Fb", "Host: 49999-iopen.x"))
                .endsWith("application /-/interpreter/contexts/a%2Fb");
        assertThat(get("/-/interpreter/contexts", "Host: localhost")).startsWith("HTTP/1.1 404");
        assertThat(
                        send(
                                "OPTIONS /execute",
                                "",
                                "Host: 49999-iopen.x",
                                "Origin: https://page.example",
                                "Access-Control-Request-Method: POST"))
                .startsWith("HTTP/1.1 204");
    }

    @Test
    void tellsOfAProgramThatHangsUp() throws Exception {
        try (Upstream upstream = new Upstream((in, out) -> {})) {
            assertThat(get("/", "Host: " + upstream.port() + "-iopen.x"))
                    .startsWith("HTTP/1.1 502")
                    .contains("\"port\":" + upstream.port());
        }
    }

    @Test
    void streamsBothWaysAtOnce() throws Exception {
        Upstream.Behaviour echo =
                (in, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes());
                    for (int i = 0; i < 3; i++) {
                        out.write(("1\r\n" + chunk(in) + "\r\n").getBytes());
                        out.flush();
                    }
                    out.write("0\r\n\r\n".getBytes());
                };
        try (Upstream upstream = new Upstream(echo);
                Socket socket = connect()) {
            write(
                    socket,
                    "POST / HTTP/1.1\r\nHost: "
                            + upstream.port()
                            + "-iopen.x\r\nTransfer-Encoding: chunked\r\n\r\n");
            InputStream in = socket.getInputStream();
            for (int i = 0; i < 3; i++) {
                write(socket, "1\r\n" + i + "\r\n");
                if (i == 0) {
                    assertThat(Upstream.readHead(in)).startsWith("HTTP/1.1 200");
                }
                assertThat(chunk(in)).isEqualTo(String.valueOf(i));
            }
        }
    }

    @Test
    void passesUpgradesAndCutsThemWithTheSandbox() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        Upstream.Behaviour talk =
                (in, out) -> {
                    out.write(
                            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: talk\r\n"
                                            + "Connection: Upgrade\r\n\r\n")
                                    .getBytes());
                    try {
                        for (int next = in.read(); next >= 0; next = in.read()) {
                            out.write(Character.toUpperCase(next));
                        }
                    } finally {
                        closed.countDown();
                    }
                };
        SandboxId id = new SandboxId("ishort");
        Planted.add(sandboxes, id, null, true, true);
        try (Upstream upstream = new Upstream(talk);
                Socket socket = connect()) {
            write(
                    socket,
                    "GET / HTTP/1.1\r\nHost: "
                            + upstream.port()
                            + "-ishort.x\r\nConnection: Upgrade\r\nUpgrade: talk\r\n\r\n");
            assertThat(Upstream.readHead(socket.getInputStream())).startsWith("HTTP/1.1 101");
            for (char c : "abc".toCharArray()) {
                write(socket, String.valueOf(c));
                assertThat(socket.getInputStream().read()).isEqualTo(Character.toUpperCase(c));
            }

            Planted.remove(sandboxes, id);

            assertThatThrownBy(
                            () -> {
                                if (socket.getInputStream().read() < 0) {
                                    throw new SocketException("closed");
                                }
                            })
                    .isInstanceOf(SocketException.class);
            assertThat(closed.await(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void resetsAnAnswerThatIsUnderWayWhenTheSandboxGoes() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Upstream.Behaviour endless =
                (in, out) -> {
                    out.write(
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
                                    .getBytes());
                    out.flush();
                    over.await(20, TimeUnit.SECONDS);
                };
        SandboxId id = new SandboxId("ishort");
        Planted.add(sandboxes, id, null, true, true);
        try (Upstream upstream = new Upstream(endless);
                Socket socket = connect()) {
            write(socket, "GET / HTTP/1.1\r\nHost: " + upstream.port() + "-ishort.x\r\n\r\n");
            InputStream in = socket.getInputStream();
            Upstream.readHead(in);
            assertThat(chunk(in)).isEqualTo("x");

            Planted.remove(sandboxes, id);

            assertThatThrownBy(in::read).isInstanceOf(SocketException.class);
            over.countDown();
        }
        assertThat(get("/", "Host: 3000-ishort.x")).startsWith("HTTP/1.1 502");
    }

    private String signature(String signed, SandboxId id) {
        return signature(signed, id, "");
    }

    /** As the SDKs make it; what follows the token in the text may follow in the query too. */
    private String signature(String signed, SandboxId id, String rest) {
        String text = signed + ":" + tokens.access(id) + rest.replaceAll("&.*", "");
        try {
            byte[] hash =
                    java.security.MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            String encoded = java.util.Base64.getEncoder().withoutPadding().encodeToString(hash);
            return "&signature=v1_"
                    + java.net.URLEncoder.encode(encoded, StandardCharsets.UTF_8)
                    + rest.replaceAll("^[^&]*", "");
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private String get(String path, String... headers) throws IOException {
        return send("GET " + path, "", headers);
    }

    private String send(String line, String body, String... headers) throws IOException {
        try (Socket socket = connect()) {
            write(
                    socket,
                    line
                            + " HTTP/1.1\r\nConnection: close\r\n"
                            + String.join("\r\n", headers)
                            + "\r\n\r\n"
                            + body);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String chunk(InputStream in) throws IOException {
        StringBuilder size = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            size.append((char) next);
        }
        byte[] content = in.readNBytes(Integer.parseInt(size.toString().trim(), 16));
        in.readNBytes(2);
        return new String(content, StandardCharsets.UTF_8);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }
}
