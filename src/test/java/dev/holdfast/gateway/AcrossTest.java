package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Eventually;
import dev.holdfast.PlayedExecutor;
import dev.holdfast.fleet.Address;
import dev.holdfast.fleet.PlayedWorkers;
import dev.holdfast.hop.Hops;
import dev.holdfast.hop.KeyStores;
import dev.holdfast.hop.KnownHops;
import dev.holdfast.hop.Peer;
import dev.holdfast.hop.Wires;
import dev.holdfast.role.PlayedRoles;
import dev.holdfast.sandbox.KnownTokens;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.worker.LiveSandboxes;
import dev.holdfast.worker.Planted;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that has the sandboxes, and one before it that has none, with sockets between them. */
@Timeout(60)
class AcrossTest {

    private static final SandboxId OPEN = new SandboxId("iopen");
    private static final SandboxId OTHER = new SandboxId("iother");
    private static final byte[] SECRET = {7, 7, 7};

    /** Connections of a node to another. */
    private static final int MOST = 12;

    /** A program that begins to answer, and says nothing more. */
    private static final Upstream.Behaviour TALK =
            (in, out) -> {
                write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
                out.flush();
                in.read();
            };

    private static final Upstream.Behaviour ECHO =
            (in, out) -> {
                write(
                        out,
                        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n"
                                + "Connection: Upgrade\r\n\r\n");
                out.flush();
                for (int each = in.read(); each >= 0; each = in.read()) {
                    out.write(each + 1);
                    out.flush();
                }
            };

    private static final String VOLUME = "/api/v1/projects/p/volumes/v/files";

    @TempDir static Path directory;
    private static Path mine;
    private static Path another;

    private final SandboxTokens tokens = KnownTokens.of(new byte[32]);
    private final LiveSandboxes live = new LiveSandboxes();
    private final KnownHops.OnePeer peers = new KnownHops.OnePeer();
    private final PlayedWorkers workers = new PlayedWorkers();
    private final Hops hops = KnownHops.of(SECRET, "control-1", Clock.systemUTC());
    private final Wires wires = KnownHops.wires(hops, workers, MOST);
    private Executor threads = Runnable::run;
    private Undertow worker;
    private Undertow control;

    @BeforeAll
    static void makeKeys() throws Exception {
        mine = KeyStores.make(directory.resolve("mine.p12"));
        another = KeyStores.make(directory.resolve("another.p12"));
    }

    @BeforeEach
    void start() throws Exception {
        Planted.add(live, OPEN, null, true, true);
        worker = worker("worker-2", "worker");
        control =
                Undertow.builder()
                        .addHttpListener(
                                0,
                                "127.0.0.1",
                                gateway(hops, new LiveSandboxes(), "control", "worker"))
                        .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                        .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L)
                        .setIoThreads(2)
                        .setWorkerThreads(1)
                        .build();
        control.start();
        peers.know(peer(mine));
        workers.hear("worker-2", 1, at(mine));
    }

    @AfterEach
    void stop() {
        control.stop();
        worker.stop();
    }

    private Undertow worker(String node, String... roles) throws Exception {
        Undertow made =
                Undertow.builder()
                        .addHttpsListener(
                                0,
                                "127.0.0.1",
                                KeyStores.context(mine),
                                gateway(KnownHops.of(SECRET, node, Clock.systemUTC()), live, roles))
                        .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                        .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L)
                        .setIoThreads(2)
                        .setWorkerThreads(2)
                        .build();
        made.start();
        return made;
    }

    private GatewayHandler gateway(Hops own, LiveSandboxes sandboxes, String... roles) {
        Across across = new Across(own, peers, wires, PlayedRoles.of(roles));
        across.executor = PlayedExecutor.of(task -> threads.execute(task));
        return new GatewayHandler(AcrossTest::application, sandboxes, tokens, across);
    }

    /** What would be envd: says what it sees. */
    private static void application(HttpServerExchange exchange) {
        exchange.getResponseSender()
                .send(
                        String.join(
                                " ",
                                exchange.getRequestURI(),
                                exchange.getQueryString(),
                                exchange.getRequestScheme(),
                                exchange.getSourceAddress().getHostString(),
                                exchange.getConnection().getPeerAddress().toString(),
                                String.valueOf(
                                        exchange.getRequestHeaders().getFirst("X-Request-Id")),
                                String.valueOf(exchange.getRequestHeaders().get(Hops.HEADER))));
    }

    private static int port(Undertow server) {
        return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    private Peer peer(Path keys) throws Exception {
        return peer(at(keys));
    }

    private static Peer peer(Address at) {
        return new Peer("worker-2", 1, at, new InetSocketAddress(at.host(), at.port()));
    }

    private Address at(Path keys) throws Exception {
        return at(port(worker), keys);
    }

    private static Address at(int port, Path keys) throws Exception {
        return new Address("127.0.0.1", port, KeyStores.shown(keys));
    }

    @Test
    void passesARequestOnAsItCame() throws Exception {
        String answer =
                get(
                        "/a%2Fb;c=d/e?x=%20&y=+",
                        "Host: 49983-iopen.box.example",
                        "X-Request-Id: mine",
                        "X-Access-Token: " + tokens.access(OPEN));

        assertThat(answer)
                .startsWith("HTTP/1.1 200")
                .contains("/-/envd/a%2Fb;c=d/e x=%20&y=+ http 127.0.0.1 ")
                .endsWith(" mine null");
    }

    @Test
    void refusesThereWhatIsRefusedHere() throws Exception {
        String host = "Host: 49983-iopen.box.example";

        assertThat(get("/files?path=x", host)).startsWith("HTTP/1.1 401").contains("\"code\":401");
        assertThat(get("/init", host, "X-Access-Token: " + tokens.access(OPEN)))
                .startsWith("HTTP/1.1 404");
        assertThat(get("/files?path=x", host, "Origin: https://a.example"))
                .startsWith("HTTP/1.1 401")
                .containsOnlyOnce("Access-Control-Allow-Origin: *");
    }

    @Test
    void givesAProgramTheSameHeadersAsOnItsOwnNode() throws Exception {
        Upstream.Behaviour hi =
                Upstream.answers(
                        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=1\r\n"
                                + "Set-Cookie: b=2\r\nX-Own: y\r\n\r\nhi");
        try (Upstream program = new Upstream(hi)) {
            String answer =
                    get(
                            "/p%2Fq?r=s",
                            "Host: " + program.port() + "-iopen.box.example",
                            "X-Forwarded-For: 203.0.113.9",
                            "TE: trailers",
                            "Cookie: own=1; holdfast-session=2");

            assertThat(answer)
                    .startsWith("HTTP/1.1 200")
                    .contains("Set-Cookie: a=1", "Set-Cookie: b=2", "X-Own: y")
                    .doesNotContain("Holdfast")
                    .endsWith("\r\n\r\nhi");
            assertThat(program.head())
                    .startsWith("GET /p%2Fq?r=s HTTP/1.1\r\n")
                    .contains("Host: " + program.port() + "-iopen.box.example")
                    .contains("X-Forwarded-For: 127.0.0.1")
                    .contains("X-Forwarded-Proto: http\r\n")
                    .contains("Cookie: own=1\r\n")
                    .contains("TE: trailers")
                    .doesNotContain("203.0.113.9")
                    .doesNotContain("X-Request-Id")
                    .doesNotContainIgnoringCase("holdfast-");
        }
    }

    @Test
    void usesAConnectionAgain() throws Exception {
        String token = "X-Access-Token: " + tokens.access(OPEN);
        try (Socket socket = connect()) {
            Set<String> connections = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                write(
                        socket,
                        "POST /x HTTP/1.1\r\nHost: 49983-iopen.a\r\nContent-Length: 3\r\n"
                                + token
                                + "\r\n\r\nabc");
                connections.add(message(socket.getInputStream()).split(" ")[4]);
            }
            assertThat(connections).hasSize(1);
        }
    }

    @Test
    void streamsALargeBodyBothWays() throws Exception {
        byte[] block = new byte[64 * 1024];
        new Random(1).nextBytes(block);
        int blocks = 512;
        MessageDigest came = MessageDigest.getInstance("SHA-256");
        Upstream.Behaviour back =
                (in, out) -> {
                    for (byte[] each = dechunked(in); each.length > 0; each = dechunked(in)) {
                        came.update(each);
                    }
                    write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                    for (int i = 0; i < blocks; i++) {
                        write(out, Integer.toHexString(block.length) + "\r\n");
                        out.write(block);
                        write(out, "\r\n");
                    }
                    write(out, "0\r\n\r\n");
                };
        MessageDigest expected = MessageDigest.getInstance("SHA-256");
        for (int i = 0; i < blocks; i++) {
            expected.update(block);
        }
        String whole = HexFormat.of().formatHex(expected.digest());
        try (Upstream program = new Upstream(back)) {
            HttpRequest request =
                    request(program.port())
                            .POST(
                                    HttpRequest.BodyPublishers.ofByteArrays(
                                            Collections.nCopies(blocks, block)))
                            .build();
            InputStream body = http1().send(request, BodyHandlers.ofInputStream()).body();
            MessageDigest went = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[8192];
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                went.update(buffer, 0, n);
            }
            assertThat(HexFormat.of().formatHex(came.digest())).isEqualTo(whole);
            assertThat(HexFormat.of().formatHex(went.digest())).isEqualTo(whole);
        }
    }

    @Test
    void handsOnAtOnceWhatIsSaidAndAlsoOverHttp2() throws Exception {
        for (HttpClient.Version version : HttpClient.Version.values()) {
            CountDownLatch firstSeen = new CountDownLatch(1);
            Upstream.Behaviour events =
                    (in, out) -> {
                        write(out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n");
                        write(out, "Transfer-Encoding: chunked\r\n\r\n");
                        write(out, "1\r\nx\r\n");
                        out.flush();
                        firstSeen.await(10, TimeUnit.SECONDS);
                        write(out, "1\r\ny\r\n0\r\n\r\n");
                    };
            try (Upstream program = new Upstream(events)) {
                HttpClient client = HttpClient.newBuilder().version(version).build();
                var answer =
                        client.send(
                                request(program.port()).timeout(Duration.ofSeconds(5)).build(),
                                BodyHandlers.ofInputStream());
                assertThat(answer.version()).isEqualTo(version);
                assertThat(answer.body().read()).isEqualTo('x');
                firstSeen.countDown();
                assertThat(answer.body().readAllBytes()).asString().isEqualTo("y");
            }
        }
    }

    @Test
    void cutsAnAnswerThatIsCutThere() throws Exception {
        String chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n";
        String half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx";
        for (String begun : new String[] {chunk, half}) {
            try (Upstream program = new Upstream(Upstream.answers(begun))) {
                var answer =
                        http1().send(request(program.port()).build(), BodyHandlers.ofInputStream());
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThatThrownBy(() -> answer.body().readAllBytes())
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void resetsWhatIsOpenWhenTheSandboxLeavesThere() throws Exception {
        try (Upstream program = new Upstream(TALK);
                Socket socket = connect()) {
            hearBeginning(socket, program, OPEN);
            InputStream in = socket.getInputStream();
            Planted.remove(live, OPEN);
            assertThatThrownBy(in::readAllBytes).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void joinsAConnectionThatSpeaksSomethingElse() throws Exception {
        try (Upstream program = new Upstream(ECHO);
                Socket socket = connect()) {
            join(socket, program);
            for (int i = 0; i < 100; i++) {
                assertAlive(socket);
            }
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isNegative();
        }
    }

    @Test
    void holdsBackAProgramThatNobodyReads() throws Exception {
        AtomicLong written = new AtomicLong();
        Upstream.Behaviour flood =
                (in, out) -> {
                    write(out, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
                    byte[] block = new byte[64 * 1024];
                    for (int i = 0; i < 4096; i++) {
                        out.write(block);
                        written.addAndGet(block.length);
                    }
                };
        try (Upstream program = new Upstream(flood);
                Socket socket = connect()) {
            socket.setReceiveBufferSize(64 * 1024);
            write(socket, "GET / HTTP/1.1\r\nHost: " + program.port() + "-iopen.a\r\n\r\n");
            InputStream in = socket.getInputStream();
            Upstream.readHead(in);
            long before = -1;
            while (written.get() != before) {
                before = written.get();
                TimeUnit.SECONDS.sleep(1);
            }
            assertThat(before).isLessThan(64L * 1024 * 1024);
            long left = 0;
            byte[] buffer = new byte[64 * 1024];
            while (left < 128L * 1024 * 1024) {
                int n = in.read(buffer);
                assertThat(n).isPositive();
                left += n;
            }
            assertThat(written.get()).isGreaterThan(before);
        }
    }

    @Test
    void answersBeforeTheBodyIsThere() throws Exception {
        try (Socket socket = connect()) {
            write(
                    socket,
                    "POST /files?path=x HTTP/1.1\r\nHost: 49983-iopen.a\r\n"
                            + "Content-Length: 100000000\r\nExpect: 100-continue\r\n\r\n");
            assertThat(socket.getInputStream().readAllBytes())
                    .as("whole, and the last one on this connection")
                    .asString()
                    .startsWith("HTTP/1.1 401")
                    .contains("Connection: close")
                    .endsWith("}");
        }
    }

    @Test
    void speaksToNobodyWhoShowsAnotherCertificate() throws Exception {
        peers.know(peer(another));
        assertUnreachable();
        assertThat(get("/health", "Host: 49983-iopen.a"))
                .as("it is forgotten, and looked for anew")
                .startsWith("HTTP/1.1 502");
    }

    @Test
    void saysAtOnceThatAWorkerIsGone() throws Exception {
        worker.stop();
        long begun = System.nanoTime();
        assertUnreachable();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    }

    /** Its host takes connections, and nobody is there who would answer them. */
    @Test
    void givesUpOnAWorkerThatSaysNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            peers.know(peer(at(silent.getLocalPort(), mine)));
            long begun = System.nanoTime();
            assertUnreachable();
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(8));
        }
    }

    @Test
    void takesNoHeaderThatNoNodeHasMade() throws Exception {
        String token = "X-Access-Token: " + tokens.access(OPEN);
        for (String forged : new String[] {"", "1;a;1;127.0.0.1;http;AAAA", "refused"}) {
            assertThat(get("/health", "Host: localhost", "Holdfast-Hop: " + forged))
                    .startsWith("HTTP/1.1 403");
            assertThat(get("/x", "Host: 49983-iopen.a", token, "holdfast-hop: " + forged))
                    .startsWith("HTTP/1.1 403");
        }
    }

    /** A node that is another one than the caller believes: at the address, with the key. */
    @Test
    void passesNothingOnTwice() throws Exception {
        worker.stop();
        worker = worker("worker-3", "worker");
        peers.know(peer(mine));
        assertUnreachable();

        worker.stop();
        Planted.remove(live, OPEN);
        worker = worker("worker-2", "worker");
        peers.know(peer(mine));
        assertThat(get("/health", "Host: 49983-iopen.a"))
                .startsWith("HTTP/1.1 502")
                .contains("The sandbox was not found");
    }

    /** The power of its host is gone, or the way to it: no connection is reset. */
    @Test
    void cutsWhatIsOpenToAWorkerThatNobodyHearsOf() throws Exception {
        try (Upstream talks = new Upstream(TALK);
                Upstream echoes = new Upstream(ECHO);
                Upstream waits = new Upstream((in, out) -> in.read());
                Socket stream = connect();
                Socket joined = connect();
                Socket call = connect()) {
            hearBeginning(stream, talks, OPEN);
            join(joined, echoes);
            write(call, "GET / HTTP/1.1\r\nHost: " + waits.port() + "-iopen.a\r\n\r\n");
            assertThat(waits.head()).startsWith("GET");

            workers.miss("worker-2");
            KnownHops.look(wires);
            assertAlive(joined);
            KnownHops.look(wires);

            assertThatThrownBy(() -> stream.getInputStream().readAllBytes())
                    .isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> joined.getInputStream().read())
                    .isInstanceOf(SocketException.class);
            assertThat(message(call.getInputStream()))
                    .contains("\"reason\":\"worker_unreachable\"", "\"code\":503");
        }
    }

    /** A body on its way is not waited for either. */
    @Test
    void answersAnUploadToAWorkerThatNobodyHearsOf() throws Exception {
        Upstream.Behaviour reads = (in, out) -> in.transferTo(OutputStream.nullOutputStream());
        try (Upstream waits = new Upstream(reads);
                Socket upload = connect()) {
            write(
                    upload,
                    "POST / HTTP/1.1\r\nHost: "
                            + waits.port()
                            + "-iopen.a\r\nContent-Length: 100000000\r\n\r\nabc");
            assertThat(waits.head()).startsWith("POST");
            workers.miss("worker-2");
            KnownHops.look(wires);
            KnownHops.look(wires);
            assertThat(message(upload.getInputStream())).contains("worker_unreachable");
        }
    }

    /** When the database was away all leases are over at once, and whoever lives renews. */
    @Test
    void keepsWhatIsOpenToAWorkerThatIsHeardOfAgain() throws Exception {
        try (Upstream echoes = new Upstream(ECHO);
                Socket joined = connect()) {
            join(joined, echoes);
            workers.miss("worker-2");
            KnownHops.look(wires);
            workers.hear("worker-2", 1, at(mine));
            KnownHops.look(wires);
            workers.miss("worker-2");
            KnownHops.look(wires);
            workers.goAway(true);
            assertThatThrownBy(() -> KnownHops.look(wires)).hasMessageContaining("away");
            workers.goAway(false);
            KnownHops.look(wires);
            assertAlive(joined);
        }
    }

    /** The worker is heard of, and it is not the process any more that the stream is from. */
    @Test
    void cutsWhatIsOpenToAProcessThatHasASuccessor() throws Exception {
        try (Upstream talks = new Upstream(TALK);
                Socket stream = connect()) {
            hearBeginning(stream, talks, OPEN);
            workers.hear("worker-2", 2, at(mine));
            KnownHops.look(wires);
            KnownHops.look(wires);
            assertThatThrownBy(() -> stream.getInputStream().readAllBytes())
                    .isInstanceOf(SocketException.class);
        }
    }

    /** Its row says that it is reached elsewhere by now, or shows something else there. */
    @Test
    void cutsWhatIsOpenToWhereAWorkerIsNoLonger() throws Exception {
        for (Address other : List.of(at(1, mine), at(another))) {
            workers.hear("worker-2", 1, at(mine));
            try (Upstream talks = new Upstream(TALK);
                    Socket stream = connect()) {
                hearBeginning(stream, talks, OPEN);
                KnownHops.look(wires);
                workers.hear("worker-2", 1, other);
                KnownHops.look(wires);
                KnownHops.look(wires);
                assertThatThrownBy(() -> stream.getInputStream().readAllBytes())
                        .isInstanceOf(SocketException.class);
            }
        }
    }

    @Test
    void leavesOthersRoomHoweverMuchOneSandboxHasOpen() throws Exception {
        Planted.add(live, OTHER, null, true, true);
        List<Socket> open = new ArrayList<>();
        List<Upstream> programs = new ArrayList<>();
        CountDownLatch over = new CountDownLatch(1);
        Upstream.Behaviour talks =
                (in, out) -> {
                    write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
                    out.flush();
                    over.await();
                };
        try (Upstream hi =
                new Upstream(Upstream.answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))) {
            for (int i = 0; i < MOST / 2; i++) {
                programs.add(new Upstream(talks));
                open.add(connect());
                hearBeginning(open.get(i), programs.get(i), OPEN);
            }
            assertThat(get("/", "Host: " + hi.port() + "-iopen.a"))
                    .startsWith("HTTP/1.1 429")
                    .contains("Retry-After: 1", "\"reason\":\"rate_limited\"", "\"iopen\"");
            for (int i = 0; i < MOST; i++) {
                assertThat(get("/", "Host: " + hi.port() + "-iother.a")).startsWith("HTTP/1.1 200");
            }
            over.countDown();
            Eventually.await(
                    "its places are free again",
                    () -> get("/", "Host: " + hi.port() + "-iopen.a"),
                    answer -> answer.startsWith("HTTP/1.1 200"));
        } finally {
            for (Socket each : open) {
                each.close();
            }
            for (Upstream each : programs) {
                each.close();
            }
        }
    }

    @Test
    void asksForTheOtherNodesOnceWhereThereAreNone() throws Exception {
        peers.know(null);
        for (int i = 0; i < 5; i++) {
            assertThat(get(VOLUME, "Host: localhost")).startsWith("HTTP/1.1 200");
        }
        assertThat(peers.asked()).isEqualTo(1);
    }

    @Test
    void saysThatItIsBusyWhereNobodyCanLookForAnotherNode() throws Exception {
        threads =
                task -> {
                    throw new RejectedExecutionException("full");
                };
        assertThat(get(VOLUME, "Host: localhost"))
                .startsWith("HTTP/1.1 503")
                .contains("Retry-After: 1", "problem+json", "\"temporarily_unavailable\"");
        threads = Runnable::run;
        assertThat(get(VOLUME, "Host: localhost"))
                .startsWith("HTTP/1.1 200")
                .contains("/api/v1/projects/p/volumes/v/files");
    }

    @Test
    void answersOnlyOtherNodesWhereItDoesNotControl() throws Exception {
        GatewayHandler alone = gateway(hops, live, "worker");
        control.stop();
        control = Undertow.builder().addHttpListener(0, "127.0.0.1", alone).build();
        control.start();

        String token = "X-Access-Token: " + tokens.access(OPEN);
        assertThat(get("/x", "Host: 49983-iopen.a", token))
                .startsWith("HTTP/1.1 404")
                .contains("\"reason\":\"not_found\"");
        assertThat(get("/api/v1/projects", "Host: localhost"))
                .startsWith("HTTP/1.1 404")
                .contains("application/problem+json", "control");
        assertThat(get("/health", "Host: localhost")).startsWith("HTTP/1.1 200");
    }

    /** Reads what a program says first, and leaves the rest. */
    private static void hearBeginning(Socket socket, Upstream program, SandboxId sandbox)
            throws IOException {
        write(socket, "GET / HTTP/1.1\r\nHost: " + program.port() + "-" + sandbox + ".a\r\n\r\n");
        InputStream in = socket.getInputStream();
        assertThat(Upstream.readHead(in)).startsWith("HTTP/1.1 200");
        for (int each = in.read(); each != 'x'; each = in.read()) {
            assertThat(each).isNotNegative();
        }
        assertThat(in.readNBytes(2)).asString().isEqualTo("\r\n");
    }

    /** Speaks something else with a program from now on. */
    private static void join(Socket socket, Upstream program) throws IOException {
        write(
                socket,
                "GET /ws HTTP/1.1\r\nHost: "
                        + program.port()
                        + "-iopen.a\r\nUpgrade: echo\r\nConnection: keep-alive, Upgrade\r\n\r\n");
        assertThat(Upstream.readHead(socket.getInputStream()))
                .startsWith("HTTP/1.1 101")
                .containsIgnoringCase("Upgrade: echo");
        assertAlive(socket);
    }

    private static void assertAlive(Socket joined) throws IOException {
        joined.getOutputStream().write('a');
        assertThat(joined.getInputStream().read()).isEqualTo('b');
    }

    private void assertUnreachable() throws IOException {
        assertThat(get("/health", "Host: 49983-iopen.a"))
                .startsWith("HTTP/1.1 503")
                .contains("Retry-After: 1")
                .contains("\"reason\":\"worker_unreachable\"")
                .contains("\"sandboxId\":\"iopen\"");
    }

    private HttpRequest.Builder request(int program) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port(control) + "/"))
                .header("E2b-Sandbox-Id", OPEN.value())
                .header("E2b-Sandbox-Port", Integer.toString(program));
    }

    private static HttpClient http1() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(control));
        socket.setSoTimeout(20_000);
        return socket;
    }

    private String get(String path, String... headers) throws IOException {
        try (Socket socket = connect()) {
            write(
                    socket,
                    "GET "
                            + path
                            + " HTTP/1.1\r\nConnection: close\r\n"
                            + String.join("\r\n", headers)
                            + "\r\n\r\n");
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        write(socket.getOutputStream(), text);
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The body of a message with a length. */
    private static String message(InputStream in) throws IOException {
        String head = Upstream.readHead(in);
        String length = head.replaceFirst("(?is).*\r\ncontent-length: (\\d+)\r\n.*", "$1");
        return new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
    }

    /** The next chunk; empty at the end. */
    private static byte[] dechunked(InputStream in) throws IOException {
        StringBuilder size = new StringBuilder();
        for (int each = in.read(); each != '\n'; each = in.read()) {
            size.append((char) each);
        }
        byte[] chunk = in.readNBytes(Integer.parseInt(size.toString().strip(), 16));
        in.readNBytes(2);
        return chunk;
    }
}
