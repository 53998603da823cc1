package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What looks into a sandbox, by the real agent. */
@Timeout(120)
class ProbeContractTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private RealAgent real;
    private Agent agent;
    private Probe probe;
    private Path files;

    @BeforeEach
    void begin() throws Exception {
        real = RealAgent.start();
        agent = new Agent(real.channel());
        probe = new Probe(agent);
        files = Files.createTempDirectory("probe-files");
    }

    @AfterEach
    void end() throws Exception {
        real.close();
        new ProcessBuilder("rm", "-rf", files.toString()).start().waitFor();
    }

    @Test
    void listsADirectoryByTheBytesOfItsNames() throws Exception {
        sh("cd " + files + "; mkdir d; echo hi > b; ln -s b a; printf x > \"$(printf 'z\\377')\"");
        var all = await(probe.look(path(""), true, Optional.empty(), 10));
        assertThat(all.entries().stream().map(e -> e.kind().word() + " " + e.path().octets()))
                .containsExactly("link a", "file b", "directory d", "file z\u00ff");
        assertThat(all.entries().get(0).target()).contains(GuestPath.of("b"));
        assertThat(all.entries().get(1).size()).isEqualTo(3);
        assertThat(all.entries().get(3).path().text()).isEmpty();
        assertThat(all.more()).isFalse();
        var page = await(probe.look(path(""), true, Optional.of(GuestPath.of("a")), 2));
        assertThat(page.entries()).hasSize(2);
        assertThat(page.more()).isTrue();
    }

    @Test
    void readsAFileAndAPartOfIt() throws Exception {
        byte[] content = new byte[3_000_000];
        new Random(1).nextBytes(content);
        Files.write(files.resolve("f"), content);
        assertThat(bytes(await(probe.read(path("/f"), 0, Optional.empty(), 1 << 30))))
                .isEqualTo(content);
        var part = await(probe.read(path("/f"), -10, Optional.of(4L), 1 << 30));
        assertThat(part.promise().size()).isEqualTo(content.length);
        assertThat(part.promise().length()).isEqualTo(4);
        assertThat(bytes(part))
                .isEqualTo(Arrays.copyOfRange(content, content.length - 10, content.length - 6));
    }

    @Test
    void refusesWhatHasNoContentNoEndOrIsTooMuch() throws Exception {
        sh("cd " + files + "; mkfifo p; mkdir d; truncate -s 1T huge; ln -s /proc/self/maps sly");
        for (String odd : List.of("/p", "/d", "/sly")) {
            assertRefused(
                    ErrorCode.FAILED_PRECONDITION,
                    probe.read(path(odd), 0, Optional.empty(), 1 << 30));
        }
        assertRefused(
                ErrorCode.FAILED_PRECONDITION,
                probe.read(GuestPath.of("/dev/zero"), 0, Optional.empty(), 1 << 30));
        assertRefused(
                ErrorCode.RESOURCE_EXHAUSTED,
                probe.read(path("/huge"), 0, Optional.empty(), 1 << 30));
        assertRefused(ErrorCode.RESOURCE_EXHAUSTED, probe.archive(path(""), 1 << 30, 1000));
        assertRefused(ErrorCode.NOT_FOUND, probe.look(path("/none"), true, Optional.empty(), 1));
    }

    @Test
    void endsWhatIsGivenUp() throws Exception {
        sh("cd " + files + "; truncate -s 1T endless");
        var early = probe.read(path("/endless"), 0, Optional.empty(), Long.MAX_VALUE);
        early.toCompletableFuture().completeExceptionally(new TimeoutException());
        assertGone(path("/endless").encoded());

        var body = await(probe.read(path("/endless"), 0, Optional.empty(), Long.MAX_VALUE));
        assertThat(runs(path("/endless").encoded())).isTrue();
        body.cancel();
        assertGone(path("/endless").encoded());
    }

    @Test
    void packsADirectory() throws Exception {
        sh("cd " + files + "; mkdir -p d/e; echo hi > d/e/f; ln -s f d/e/l; chmod 600 d/e/f");
        byte[] tar = bytes(await(probe.archive(path("/d"), 1 << 30, 1000)));
        Path packed = files.resolve("x.tar");
        Files.write(packed, tar);
        sh("cd " + files + "; mkdir out; tar xf x.tar -C out");
        assertThat(Files.readString(files.resolve("out/d/e/f"))).isEqualTo("hi\n");
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(files.resolve("out/d/e/f"))))
                .isEqualTo("rw-------");
        assertThat(Files.readSymbolicLink(files.resolve("out/d/e/l"))).hasToString("f");
    }

    @Test
    void digestsInTheOrderThatWasAsked() throws Exception {
        Files.writeString(files.resolve("f"), "one");
        Files.writeString(files.resolve("g"), "two");
        var digests = probe.digests(List.of(path("/g"), path("/none"), path("/f")), PATIENCE);
        assertThat(digests)
                .containsExactly(
                        Optional.of(sha("two")), Optional.empty(), Optional.of(sha("one")));
    }

    @Test
    void walksTheTreeInItsOrderAndStopsWhereItMay() {
        int seen = 0;
        try (TreeWalk walk = probe.walk(2_000_000, PATIENCE, PATIENCE)) {
            GuestPath last = null;
            for (var entry = walk.next(); entry.isPresent() && seen < 3000; entry = walk.next()) {
                GuestPath path = entry.get().path();
                assertThat(last == null || path.compareTo(last) > 0).isTrue();
                assertThat(path.octets()).doesNotStartWith("/proc").doesNotStartWith("/dev/");
                last = path;
                seen++;
            }
        }
        assertThat(seen).isEqualTo(3000);
        try (TreeWalk walk = probe.walk(5, PATIENCE, PATIENCE)) {
            assertThatThrownBy(
                            () -> {
                                while (walk.next().isPresent()) {
                                    // goes on until it is told that there are too many
                                }
                            })
                    .isInstanceOf(AgentException.class)
                    .satisfies(
                            told ->
                                    assertThat(((AgentException) told).code())
                                            .isEqualTo(ErrorCode.RESOURCE_EXHAUSTED));
        }
    }

    @Test
    void stopsEverythingElseAndTellsWhatRan() throws Exception {
        sh("(SECRET_NAME=value exec sh -c 'while :; do date +%N > " + files + "/tick; done') &");
        Thread.sleep(200);
        await(probe.freeze());
        String before = Files.readString(files.resolve("tick"));
        Thread.sleep(300);
        assertThat(Files.readString(files.resolve("tick"))).isEqualTo(before);
        var facts = probe.facts(1000, PATIENCE);
        assertThat(facts.processes())
                .anyMatch(each -> each.command().contains("/tick; done"))
                .noneMatch(each -> each.command().contains("holdfast/agent"));
        assertThat(facts.environment()).contains("SECRET_NAME").doesNotContain("value");
        assertThat(facts.packages()).isNotEmpty();
    }

    private void sh(String script) throws Exception {
        var done = new CompletableFuture<ProcessEnd>();
        var said = new ByteArrayOutputStream();
        agent.start(
                ProcessStart.of("sh", "-c", "{ " + script + "\n} >/dev/null 2>&1 </dev/null")
                        .as("root"),
                new ProcessEvents() {
                    @Override
                    public void onStarted(long pid) {
                        // nothing to do with it
                    }

                    @Override
                    public void onOutput(OutputChannel channel, ByteBuffer bytes) {
                        said.write(bytes.get());
                    }

                    @Override
                    public void onEnd(ProcessEnd end) {
                        done.complete(end);
                    }

                    @Override
                    public void onError(AgentException failure) {
                        done.completeExceptionally(failure);
                    }
                });
        assertThat(done.get(20, TimeUnit.SECONDS).exitCode()).as(said.toString()).isZero();
    }

    private GuestPath path(String below) {
        return GuestPath.of(files + below);
    }

    /** Soon: also what was given up before it had begun begins, and is ended then. */
    private static void assertGone(String word) throws InterruptedException {
        Thread.sleep(500);
        for (int i = 0; i < 100 && runs(word); i++) {
            Thread.sleep(50);
        }
        assertThat(runs(word)).isFalse();
    }

    private static boolean runs(String word) {
        return ProcessHandle.allProcesses().anyMatch(each -> command(each).contains(word));
    }

    /** The platform's own look at it ends before what was asked for. */
    private static String command(ProcessHandle process) {
        try {
            return Files.readString(
                    Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static byte[] bytes(GuestBody body) throws Exception {
        var all = new ByteArrayOutputStream();
        for (var piece = await(body.next()); piece.isPresent(); piece = await(body.next())) {
            byte[] some = new byte[piece.get().remaining()];
            piece.get().duplicate().get(some);
            all.write(some);
        }
        return all.toByteArray();
    }

    private static String sha(String text) throws Exception {
        return HexFormat.of()
                .formatHex(
                        MessageDigest.getInstance("SHA-256")
                                .digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static void assertRefused(ErrorCode code, CompletionStage<?> stage) {
        assertThatThrownBy(() -> await(stage))
                .isInstanceOf(AgentException.class)
                .satisfies(told -> assertThat(((AgentException) told).code()).isEqualTo(code));
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof Exception known ? known : e;
        }
    }
}
