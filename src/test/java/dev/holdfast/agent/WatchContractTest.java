package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How every agent must watch directories and keep what callers note about files. */
@Timeout(120)
class WatchContractTest {

    private static final int REPEAT = Integer.getInteger("holdfast.repeat", 2);
    private static final Optional<String> ROOT = Optional.of("root");

    private final ExecutorService executor = Executors.newFixedThreadPool(4);
    private Fifos fifos;
    private AgentProcess process;
    private AgentChannel channel;
    private Agent agent;
    private Path files;

    @BeforeEach
    void begin() throws Exception {
        fifos = Fifos.make();
        process = AgentProcess.start(fifos);
        files = Files.createTempDirectory("watched");
        channel = RealAgent.open(fifos, executor);
        agent = new Agent(channel);
        await(channel.connect(Duration.ofSeconds(10)));
    }

    @AfterEach
    void end() throws Exception {
        channel.close();
        process.close();
        var said = Files.readString(fifos.err());
        fifos.close();
        executor.shutdownNow();
        new ProcessBuilder("rm", "-rf", files.toString()).start().waitFor();
        assertThat(said).as("what the agent complained of").isEmpty();
    }

    @Test
    void tellsThatAFileWasMadeHandedOverAndWritten() throws Exception {
        var seen = watch(false, false);
        write("a.txt", "content");
        assertThat(seen.now()).containsExactly("CREATE a.txt", "CHMOD a.txt", "WRITE a.txt");
        write("a.txt", "other");
        assertThat(seen.now()).endsWith("WRITE a.txt", "CHMOD a.txt", "WRITE a.txt").hasSize(6);
    }

    @Test
    void tellsEachKindOfEventByItsName() throws Exception {
        write("old", "x");
        var seen = watch(false, false);
        Files.move(files.resolve("old"), files.resolve("new"));
        Files.setPosixFilePermissions(
                files.resolve("new"),
                java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
        Files.delete(files.resolve("new"));
        assertThat(seen.now())
                .containsExactly("RENAME old", "CREATE new", "CHMOD new", "REMOVE new");
    }

    @Test
    void describesWhatIsThereWhenAsked() throws Exception {
        var seen = watch(false, true);
        write("a", "12345");
        seen.now(); // described while it is there
        await(agent.remove(files.resolve("a").toString(), ROOT));
        seen.now();
        var written = seen.events.get(0);
        assertThat(written.entry()).isPresent();
        assertThat(written.entry().get().path()).isEqualTo(files.resolve("a").toString());
        var removed = seen.events.get(seen.events.size() - 1);
        assertThat(removed.type()).isEqualTo(FileEvent.Type.REMOVE);
        assertThat(removed.entry()).isEmpty();
    }

    @Test
    void staysOutOfSubdirectoriesUnlessAsked() throws Exception {
        Files.createDirectory(files.resolve("sub"));
        var seen = watch(false, false);
        Files.writeString(files.resolve("sub/file"), "x");
        Files.writeString(files.resolve("file"), "x");
        assertThat(seen.now()).contains("CREATE file").doesNotContain("CREATE sub/file");
    }

    @Test
    void seesWhatIsMadeInDirectoriesThatDidNotExistYet() throws Exception {
        var seen = watch(true, false);
        for (var i = 0; i < 20 * REPEAT; i++) {
            var deep = files.resolve("d" + i + "/e/f");
            Files.createDirectories(deep);
            Files.writeString(deep.resolve("at-once"), "x");
            Files.writeString(deep.getParent().resolve("beside"), "x");
        }
        seen.settle(20 * REPEAT * 5);
        var told = seen.told();
        for (var i = 0; i < 20 * REPEAT; i++) {
            for (var name : List.of("", "/e", "/e/f", "/e/f/at-once", "/e/beside")) {
                assertThat(told.stream().filter(("CREATE d" + i + name)::equals).count())
                        .as("d%d%s is told once", i, name)
                        .isEqualTo(1);
            }
            assertThat(told).contains("WRITE d" + i + "/e/f/at-once");
        }
    }

    @Test
    void followsADirectoryThatIsMovedWithinTheTreeAndLeavesOneThatIsMovedAway(@TempDir Path outside)
            throws Exception {
        Files.createDirectories(files.resolve("a/deep"));
        var seen = watch(true, false);
        Files.move(files.resolve("a"), files.resolve("b"));
        seen.now();
        Files.writeString(files.resolve("b/deep/file"), "x");
        assertThat(seen.now())
                .contains("RENAME a", "CREATE b", "CREATE b/deep/file")
                .doesNotContain("CREATE b/deep");
        Files.move(files.resolve("b"), outside.resolve("b"), StandardCopyOption.ATOMIC_MOVE);
        seen.now();
        Files.writeString(outside.resolve("b/deep/unseen"), "x");
        assertThat(seen.now().stream().filter(e -> e.contains("unseen"))).isEmpty();
        Files.move(outside.resolve("b"), files.resolve("c"), StandardCopyOption.ATOMIC_MOVE);
        seen.now();
        Files.writeString(files.resolve("c/deep/seen"), "x");
        assertThat(seen.now()).contains("CREATE c", "CREATE c/deep/unseen", "CREATE c/deep/seen");
    }

    @Test
    void tellsTheEndOfTheDirectoryItself() throws Exception {
        var seen = watch(false, false);
        Files.delete(files);
        assertThat(seen.now()).contains("REMOVE .");
    }

    @Test
    void refusesWhatIsNoDirectory() throws Exception {
        write("file", "x");
        assertFails(ErrorCode.NOT_FOUND, files.resolve("none"));
        assertFails(ErrorCode.NOT_A_DIRECTORY, files.resolve("file"));
    }

    @Test
    void goesOnThroughAFreezeWithoutLossOrRepetition() throws Exception {
        var seen = watch(true, false);
        for (var round = 0; round < REPEAT; round++) {
            await(channel.quiesce(Duration.ofSeconds(10)));
            for (var i = 0; i < 500; i++) {
                Files.createFile(files.resolve("r" + round + "-" + i));
            }
            channel.resume();
            seen.settle((round + 1) * 500);
        }
        var expected =
                IntStream.range(0, REPEAT)
                        .boxed()
                        .flatMap(
                                r ->
                                        IntStream.range(0, 500)
                                                .mapToObj(i -> "CREATE r" + r + "-" + i))
                        .toList();
        assertThat(seen.told()).isEqualTo(expected);
    }

    @Test
    void saysThatEventsWereLostWhenNobodyReadsThem() throws Exception {
        var seen = new Seen(false);
        seen.of(agent.watch(files.toString(), ROOT, false, false, seen));
        await(seen.started);
        var name = "n".repeat(200);
        for (var i = 0; i < 40_000 && !seen.failure.isDone(); i++) {
            var file = files.resolve(name + i % 7);
            Files.createFile(file);
            Files.delete(file);
        }
        assertThat(seen.failure.get(60, TimeUnit.SECONDS).code())
                .isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
        assertThat(seen.failure.get()).hasMessageContaining("events were lost");
        await(agent.stat("/", ROOT));
    }

    @Test
    void boundsTheNumberOfWatchesAndGivesTheirPlacesBack() throws Exception {
        for (var round = 0; round < 2; round++) {
            var open = new ArrayList<WatchStream>();
            for (var i = 0; i < 100; i++) {
                var seen = new Seen(true);
                open.add(agent.watch(files.toString(), ROOT, false, false, seen));
                await(seen.started);
            }
            assertFails(ErrorCode.RESOURCE_EXHAUSTED, files);
            open.forEach(WatchStream::close);
        }
    }

    @Test
    void keepsMetadataAndReplacesAllOfThem() throws Exception {
        var path = files.resolve("noted").toString();
        assertThat(noted(path, Map.of("a", "1", "b", "two words")).metadata())
                .isEqualTo(Map.of("a", "1", "b", "two words"));
        assertThat(noted(path, Map.of("b", "3")).metadata()).isEqualTo(Map.of("b", "3"));
        assertThat(await(agent.stat(path, ROOT)).metadata()).isEqualTo(Map.of("b", "3"));
        assertThat(noted(path, Map.of()).metadata()).isEmpty();
        assertThatThrownBy(() -> noted(path, Map.of("k", "v".repeat(4090))))
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }

    @Test
    void readsAPartFromEitherEnd() throws Exception {
        var path = files.resolve("part").toString();
        write("part", "0123456789");
        assertThat(text(agent.read(path, ROOT, 2, 3))).isEqualTo("234");
        assertThat(text(agent.read(path, ROOT, -3, 100))).isEqualTo("789");
        assertThat(text(agent.read(path, ROOT, -300, 2))).isEqualTo("01");
        assertThat(await(agent.read(path, ROOT, 11, 5).extent()))
                .isEqualTo(new FileBody.Extent(10, 0));
    }

    private FileEntry noted(String path, Map<String, String> metadata) throws Exception {
        return await(agent.write(path, ROOT, metadata).finish(ByteBuffer.wrap(new byte[] {1})));
    }

    private void write(String name, String content) throws Exception {
        await(
                agent.write(files.resolve(name).toString(), ROOT)
                        .finish(ByteBuffer.wrap(content.getBytes())));
    }

    private Seen watch(boolean recursive, boolean entries) throws Exception {
        var seen = new Seen(true);
        seen.of(agent.watch(files.toString(), ROOT, recursive, entries, seen));
        await(seen.started);
        return seen;
    }

    private void assertFails(ErrorCode code, Path path) {
        var seen = new Seen(true);
        agent.watch(path.toString(), ROOT, true, false, seen);
        assertThatThrownBy(() -> await(seen.started))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static String text(FileBody body) throws Exception {
        var text = new StringBuilder();
        for (var piece = await(body.next()); piece.isPresent(); piece = await(body.next())) {
            text.append(java.nio.charset.StandardCharsets.UTF_8.decode(piece.get()));
        }
        return text.toString();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    /** What a watch told, as text; reads or, like a client that hangs, does not. */
    private static final class Seen implements WatchEvents {

        final CompletableFuture<Void> started = new CompletableFuture<>();
        final CompletableFuture<AgentException> failure = new CompletableFuture<>();
        final List<FileEvent> events = new ArrayList<>();
        private final CompletableFuture<WatchStream> stream = new CompletableFuture<>();
        private final boolean reading;
        private volatile CompletableFuture<Void> marked = new CompletableFuture<>();

        Seen(boolean reading) {
            this.reading = reading;
        }

        void of(WatchStream source) {
            stream.complete(source);
        }

        /** Everything until now. */
        List<String> now() throws Exception {
            marked = new CompletableFuture<>();
            stream.join().mark();
            marked.get(10, TimeUnit.SECONDS);
            return told();
        }

        synchronized List<String> told() {
            return events.stream().map(e -> e.type() + " " + e.name()).toList();
        }

        /** What is found by listing takes the agent a turn or two. */
        void settle(int least) throws Exception {
            for (var i = 0; i < 200 && now().size() < least; i++) {
                Thread.sleep(20);
            }
            Thread.sleep(200);
            now();
        }

        @Override
        public void onStarted() {
            started.complete(null);
        }

        @Override
        public void onEvent(FileEvent event, int cost) {
            synchronized (this) {
                events.add(event);
            }
            back(cost);
        }

        @Override
        public void onMark(int cost) {
            back(cost);
            marked.complete(null);
        }

        @Override
        public void onError(AgentException reason) {
            started.completeExceptionally(reason);
            failure.complete(reason);
        }

        private void back(int cost) {
            if (reading) {
                stream.thenAccept(source -> source.consumed(cost));
            }
        }
    }
}
