package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Eventually;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Root inside a sandbox can write whatever it likes into the channel; here the test is that agent.
 */
@Timeout(30)
class HostileAgentTest {

    private static final Optional<String> ROOT = Optional.of("root");

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final FrameReader frames = new FrameReader();
    private Room held = RealAgent.room();
    private Fifos fifos;
    private FileChannel in;
    private FileChannel out;
    private AgentChannel channel;
    private Agent agent;
    private int sequence;

    @BeforeEach
    void begin() throws Exception {
        fifos = Fifos.make();
        in = FileChannel.open(fifos.in(), StandardOpenOption.READ, StandardOpenOption.WRITE);
        out = FileChannel.open(fifos.out(), StandardOpenOption.READ, StandardOpenOption.WRITE);
        channel =
                AgentChannel.open(
                        fifos.in(),
                        fifos.out(),
                        "hostile",
                        held,
                        executor,
                        new Patience(Duration.ofSeconds(1), Duration.ofSeconds(20)));
        agent = new Agent(channel);
    }

    @AfterEach
    void end() throws Exception {
        channel.close();
        in.close();
        out.close();
        fifos.close();
        executor.shutdownNow();
    }

    @Test
    void ignoresFramesAndGarbageBeforeTheMatchingAnswer() throws Exception {
        write(new byte[] {1, 2, 3, 4, 5});
        send(Frame.Kind.HELLO_ACK, 0, "{\"version\":1,\"incarnation\":\"another\"}");
        send(Frame.Kind.ERROR, 0, "{\"code\":\"channel_reset\"}");
        send(Frame.Kind.DATA, 77, "x");
        assertThat(connect().version()).isEqualTo(1);
    }

    @Test
    void refusesAnotherProtocolClearly() throws Exception {
        var hello = channel.connect(Duration.ofSeconds(5));
        answerHello(",\"refused\":\"speaks 7\"");
        assertThatThrownBy(() -> await(hello)).hasRootCauseMessage("no common protocol: speaks 7");
    }

    @Test
    void givesUpWaitingForAHello() {
        assertThatThrownBy(() -> await(channel.connect(Duration.ofMillis(100))))
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE));
    }

    /** One that owes an answer has not failed: all else goes on, and so does what streams. */
    @Test
    void givesUpWaitingForAnAnswer() throws Exception {
        reopen(new Patience(Duration.ofSeconds(5), Duration.ofMillis(300)));
        connect();
        var recorder = new Recorder(false);
        recorder.of(agent.start(ProcessStart.of("x"), recorder));
        var process = await(Frame.Kind.REQUEST).stream();
        send(Frame.Kind.ACCEPT, process, "{\"pid\":7}");
        List<Supplier<CompletionStage<?>>> calls = List.of(agent::usage, agent::processes);
        for (var call : calls) {
            var owed = call.get();
            var asked = await(Frame.Kind.REQUEST).stream();
            assertThatThrownBy(() -> await(owed))
                    .cause()
                    .isInstanceOfSatisfying(
                            AgentException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE));
            assertThat(await(Frame.Kind.CANCEL).stream()).isEqualTo(asked);
            send(Frame.Kind.END, asked, "{\"cpuCount\":1}");
        }
        var usage = agent.usage();
        send(Frame.Kind.END, await(Frame.Kind.REQUEST).stream(), "{\"cpuCount\":3}");
        assertThat(await(usage).processors()).isEqualTo(3);
        send(Frame.Kind.END, process, "{\"exitCode\":4}");
        assertThat(recorder.end().exitCode()).isEqualTo(4);
    }

    /** It has as long as ever when it goes on, and no longer. */
    @Test
    void doesNotCountTheTimeInWhichItIsToBeQuiet() throws Exception {
        var patience = Duration.ofMillis(500);
        reopen(new Patience(Duration.ofSeconds(5), patience));
        connect();
        var usage = agent.usage();
        var asked = await(Frame.Kind.REQUEST).stream();
        var processes = agent.processes();
        await(Frame.Kind.REQUEST);
        channel.quiesce(Duration.ofSeconds(5));
        await(Frame.Kind.QUIESCE);
        send(Frame.Kind.QUIESCED, 0, "{}");
        Thread.sleep(patience.multipliedBy(2).toMillis());
        assertThat(usage.toCompletableFuture()).isNotDone();

        channel.resume();
        send(Frame.Kind.END, asked, "{\"cpuCount\":3}");
        assertThat(await(usage).processors()).isEqualTo(3);
        assertThatThrownBy(() -> await(processes))
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE));
    }

    @Test
    void endsAtAGapInTheNumbers() throws Exception {
        connect();
        sequence++;
        send(Frame.Kind.PONG, 0, "");
        assertEnded(ErrorCode.CHANNEL_RESET);
    }

    @Test
    void endsAtARepeatedNumber() throws Exception {
        connect();
        sequence--;
        send(Frame.Kind.PONG, 0, "");
        assertEnded(ErrorCode.CHANNEL_RESET);
    }

    @Test
    void endsAtBytesThatAreNoFrame() throws Exception {
        connect();
        write(new byte[] {1});
        write(new byte[100]);
        assertEnded(ErrorCode.CHANNEL_RESET);
    }

    @Test
    void endsAtDataBeyondCredit() throws Exception {
        connect();
        var recorder = new Recorder(false);
        recorder.of(agent.start(ProcessStart.of("x"), recorder));
        var stream = await(Frame.Kind.REQUEST).stream();
        for (var sent = 0; sent <= Frame.WINDOW; sent += Frame.MAX_BODY) {
            send(Frame.Kind.DATA, stream, "\1" + "x".repeat(Frame.MAX_BODY));
        }
        assertEnded(ErrorCode.CHANNEL_RESET);
        assertThatThrownBy(recorder::end).hasCauseInstanceOf(AgentException.class);
    }

    @Test
    void endsAWatchThatTellsNonsenseAndNothingElse() throws Exception {
        connect();
        var told = new java.util.ArrayList<String>();
        var failed = new java.util.concurrent.CompletableFuture<AgentException>();
        agent.watch(
                "/x",
                ROOT,
                true,
                true,
                new WatchEvents() {
                    @Override
                    public void onStarted() {
                        told.add("started");
                    }

                    @Override
                    public void onEvent(FileEvent event, int cost) {
                        told.add(event.type() + " " + event.name() + " " + cost);
                    }

                    @Override
                    public void onError(AgentException failure) {
                        failed.complete(failure);
                    }
                });
        var stream = await(Frame.Kind.REQUEST).stream();
        send(Frame.Kind.ACCEPT, stream, "{}");
        send(Frame.Kind.DATA, stream, "\0{\"type\":\"melted\"}\n{\"type\":\"wri");
        send(Frame.Kind.DATA, stream, "\0te\",\"name\":7,\"entry\":[1]}\n");
        send(Frame.Kind.DATA, stream, "\0{\"a\":".concat("[".repeat(5000)) + "\n");
        assertThat(await(failed).code()).isEqualTo(ErrorCode.CHANNEL_RESET);
        assertThat(told).containsExactly("started", "WRITE  56");
        var usage = agent.usage();
        send(Frame.Kind.END, await(Frame.Kind.REQUEST).stream(), "{\"cpuCount\":3}");
        assertThat(await(usage).processors()).isEqualTo(3);
    }

    @Test
    void handsOutNoMoreThanWasPromisedOrAskedFor() throws Exception {
        connect();
        var path = GuestPath.of("/x");
        var reading = new Probe(agent).read(path, 0, Optional.of(3L), 10);
        promise(await(Frame.Kind.REQUEST).stream(), path, "3", "abcdef");
        var body = await(reading);
        assertThatThrownBy(() -> await(body.next())).hasCauseInstanceOf(AgentException.class);
        await(Frame.Kind.CANCEL);
        await(Frame.Kind.REQUEST);

        var greedy = new Probe(agent).read(path, 0, Optional.empty(), 10);
        promise(await(Frame.Kind.REQUEST).stream(), path, "11", "");
        assertThatThrownBy(() -> await(greedy)).hasCauseInstanceOf(AgentException.class);
    }

    private void promise(int stream, GuestPath path, String length, String bytes) throws Exception {
        send(Frame.Kind.ACCEPT, stream, "{\"pid\":7}");
        send(
                Frame.Kind.DATA,
                stream,
                "\1{\"path\":\"%s\",\"size\":99,\"length\":%s}\n%s"
                        .formatted(path.encoded(), length, bytes));
    }

    @Test
    void refusesAnEndlessAnswerAndNothingElse() throws Exception {
        connect();
        var usage = agent.usage();
        var stream = await(Frame.Kind.REQUEST).stream();
        for (var i = 0; i < 33; i++) {
            send(Frame.Kind.END, Frame.MORE, stream, " ".repeat(Frame.MAX_PAYLOAD));
        }
        assertTooLarge(usage);
        await(Frame.Kind.CANCEL);
        assertLivesOn();
    }

    @Test
    void refusesAnAnswerOfManySmallValues() throws Exception {
        connect();
        var completion = agent.contexts().complete(new ContextId("python"), "x", 1);
        var stream = await(Frame.Kind.REQUEST).stream();
        var values = "[],".repeat(10_000);
        send(Frame.Kind.END, Frame.MORE, stream, "{\"matches\":[");
        send(Frame.Kind.END, Frame.MORE, stream, values);
        send(Frame.Kind.END, Frame.MORE, stream, values);
        send(Frame.Kind.END, stream, "0]}");
        assertTooLarge(completion);
        assertLivesOn();
    }

    @Test
    void refusesAListOfMoreThanThereCanBe() throws Exception {
        connect();
        var processes = agent.processes();
        var stream = await(Frame.Kind.REQUEST).stream();
        send(Frame.Kind.ACCEPT, stream, "{\"size\":9}");
        send(Frame.Kind.DATA, stream, "\0" + "{}\n".repeat(1025));
        assertTooLarge(processes);
        assertLivesOn();
    }

    @Test
    void refusesALineWithoutAnEndInAListAndInAWatch() throws Exception {
        connect();
        var variables = agent.contexts().variables(new ContextId("python"));
        var stream = await(Frame.Kind.REQUEST).stream();
        send(Frame.Kind.DATA, stream, "\0" + "x".repeat(17 * 1024));
        assertTooLarge(variables);

        var told = new CompletableFuture<AgentException>();
        agent.watch("/x", ROOT, true, true, onlyTheEnd(told));
        var watch = await(Frame.Kind.REQUEST).stream();
        for (var i = 0; i < 5; i++) {
            send(Frame.Kind.DATA, watch, "\0" + "x".repeat(Frame.MAX_BODY));
        }
        assertThat(await(told).code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertLivesOn();
    }

    @Test
    void refusesMoreContentThanWasPromised() throws Exception {
        connect();
        var body = agent.read("/x", ROOT);
        var stream = await(Frame.Kind.REQUEST).stream();
        send(Frame.Kind.ACCEPT, stream, "{\"size\":3,\"length\":3}");
        send(Frame.Kind.DATA, stream, "\0abc");
        assertThat(await(body.next()).orElseThrow().remaining()).isEqualTo(3);
        send(Frame.Kind.DATA, stream, "\0d");
        assertTooLarge(body.next());
        assertLivesOn();
    }

    @Test
    void putsTinyPiecesOfContentTogetherAndKeepsNoEmptyOnes() throws Exception {
        connect();
        var body = agent.read("/x", ROOT);
        var stream = await(Frame.Kind.REQUEST).stream();
        send(Frame.Kind.ACCEPT, stream, "{\"size\":20000}");
        for (var i = 0; i < 20_000; i++) {
            send(Frame.Kind.DATA, stream, "\0");
            send(Frame.Kind.DATA, stream, "\0x");
        }
        send(Frame.Kind.END, stream, "{}");
        assertLives();
        var pieces = 0;
        var bytes = 0;
        for (var piece = await(body.next()); piece.isPresent(); piece = await(body.next())) {
            pieces++;
            bytes += piece.get().remaining();
        }
        assertThat(bytes).isEqualTo(20_000);
        assertThat(pieces).isLessThan(20);
        assertNothingIsHeld();
    }

    @Test
    void holdsNoMoreThanThereIsRoomForWhateverTheNumberOfStreams() throws Exception {
        reopen(new Room(300_000));
        connect();
        var asked = new java.util.ArrayList<CompletionStage<Usage>>();
        for (var i = 0; i < 20; i++) {
            asked.add(agent.usage());
            var stream = await(Frame.Kind.REQUEST).stream();
            send(Frame.Kind.END, Frame.MORE, stream, " ".repeat(Frame.MAX_PAYLOAD));
            assertLives();
            assertThat(held.used()).isLessThanOrEqualTo(300_000);
        }
        // Whoever asked hears of it a little after the channel has.
        Eventually.await(
                "what there is no room for is refused",
                () -> asked.stream().filter(each -> each.toCompletableFuture().isDone()).count(),
                done -> done == 20 - 300_000 / Frame.MAX_PAYLOAD);
        assertTooLarge(asked.get(19));
        channel.close();
        for (var each : asked) {
            assertThatThrownBy(() -> await(each)).hasCauseInstanceOf(AgentException.class);
        }
        assertNothingIsHeld();
    }

    @Test
    void holdsContentThatNobodyReadsAlsoWhenItsStreamIsOver() throws Exception {
        reopen(new Room(100_000));
        connect();
        var first = content(60_000);
        assertHeld(60_000);
        var second = agent.read("/y", ROOT);
        var stream = await(Frame.Kind.REQUEST).stream();
        send(Frame.Kind.ACCEPT, stream, "{\"size\":60000}");
        send(Frame.Kind.DATA, stream, "\0" + "x".repeat(30_000));
        send(Frame.Kind.DATA, stream, "\0" + "x".repeat(30_000));
        assertThatThrownBy(
                        () -> {
                            for (var i = 0; i < 3; i++) {
                                await(second.next());
                            }
                        })
                .hasCauseInstanceOf(AgentException.class);
        first.cancel();
        second.cancel();
        assertNothingIsHeld();
        assertLives();
    }

    private FileBody content(int size) throws Exception {
        var body = agent.read("/x", ROOT);
        var stream = await(Frame.Kind.REQUEST).stream();
        send(Frame.Kind.ACCEPT, stream, "{\"size\":" + size + "}");
        for (var left = size; left > 0; left -= 30_000) {
            send(Frame.Kind.DATA, stream, "\0" + "x".repeat(30_000));
        }
        send(Frame.Kind.END, stream, "{}");
        assertLives();
        return body;
    }

    @Test
    void takesNoMoreInputThanThereIsRoomForWhileTheAgentGivesNoCredit() throws Exception {
        reopen(new Room(1_000_000));
        connect();
        var sent = agent.write("/x", ROOT).send(ByteBuffer.allocate(900_000));
        assertThatThrownBy(() -> await(agent.write("/y", ROOT).send(ByteBuffer.allocate(200_000))))
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED));
        channel.close();
        assertThatThrownBy(() -> await(sent)).hasCauseInstanceOf(AgentException.class);
        assertNothingIsHeld();
    }

    @Test
    void keepsNoMoreRequestsThanThereIsRoomForWhileTheAgentReadsNothing() throws Exception {
        connect();
        var path = "x".repeat(1_000_000);
        CompletionStage<FileEntry> last = null;
        for (var i = 0; i < 20; i++) {
            last = agent.makeDirectory(path, ROOT);
        }
        var refused = last;
        assertThatThrownBy(() -> await(refused))
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED));
    }

    @Test
    void refusesAnEventOfManySmallValues() throws Exception {
        connect();
        var executed = new Executed(true);
        executed.of(
                agent.contexts()
                        .execute(ExecutionOrder.in(new ContextId("python"), "1"), executed));
        var stream = await(Frame.Kind.REQUEST).stream();
        send(Frame.Kind.ACCEPT, stream, "{\"context\":\"python\"}");
        send(Frame.Kind.DATA, stream, "\0{\"type\":\"result\",\"formats\":{\"json\":[");
        var values = "[],".repeat(Frame.MAX_BODY / 3);
        var credit = Frame.WINDOW - 100;
        for (var i = 0; i < 24; i++) {
            for (credit -= values.length(); credit < 0; ) {
                credit += await(Frame.Kind.CREDIT).payload().getInt();
            }
            send(Frame.Kind.DATA, stream, "\0" + values);
        }
        send(Frame.Kind.DATA, stream, "\0[]]}}\n");
        assertThatThrownBy(executed::awaitEnd).hasCauseInstanceOf(AgentException.class);
        assertLivesOn();
    }

    @Test
    void endsAtAnAnswerThatIsNoJsonOrNestedWithoutEnd() throws Exception {
        connect();
        agent.usage();
        send(Frame.Kind.END, await(Frame.Kind.REQUEST).stream(), "{\"a\":".repeat(3000));
        assertEnded(ErrorCode.CHANNEL_RESET);
    }

    @Test
    void ignoresFramesOfUnknownStreams() throws Exception {
        connect();
        send(Frame.Kind.DATA, 4711, "x");
        send(Frame.Kind.END, -5, "{}");
        send(Frame.Kind.CREDIT, 4711, "1234");
        var usage = agent.usage();
        send(
                Frame.Kind.END,
                await(Frame.Kind.REQUEST).stream(),
                "{\"cpuCount\":3,\"memoryTotal\":1e999999999}");
        assertThat(await(usage).processors()).isEqualTo(3);
        assertThat(await(usage).memoryTotal()).isZero();
    }

    @Test
    void isNotHeldUpByAListenerThatBlocksOrThrows() throws Exception {
        connect();
        var thrown =
                new Recorder()
                        .into(
                                bytes -> {
                                    throw new IllegalStateException("on purpose");
                                });
        thrown.of(agent.start(ProcessStart.of("x"), thrown));
        send(Frame.Kind.DATA, await(Frame.Kind.REQUEST).stream(), "\1x");
        await(Frame.Kind.CANCEL);
        assertThatThrownBy(thrown::end)
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL));
        var usage = agent.usage();
        send(Frame.Kind.END, await(Frame.Kind.REQUEST).stream(), "{}");
        await(usage);
    }

    @Test
    void losesNoEventWhileTheExecutorIsFull() throws Exception {
        var full = new java.util.concurrent.atomic.AtomicBoolean();
        channel.close();
        channel =
                AgentChannel.open(
                        fifos.in(),
                        fifos.out(),
                        "hostile",
                        held,
                        task -> {
                            if (full.get()) {
                                throw new java.util.concurrent.RejectedExecutionException("full");
                            }
                            executor.execute(task);
                        },
                        RealAgent.PATIENCE);
        agent = new Agent(channel);
        connect();
        full.set(true);
        var usage = agent.usage();
        send(Frame.Kind.END, await(Frame.Kind.REQUEST).stream(), "{\"cpuCount\":3}");
        Thread.sleep(200);
        assertThat(usage.toCompletableFuture()).isNotDone();
        full.set(false);
        assertThat(await(usage).processors()).isEqualTo(3);
    }

    @Test
    void joinsAFloodOfTinyPieces() throws Exception {
        connect();
        var recorder = new Recorder(false);
        var first = new java.util.concurrent.CountDownLatch(1);
        recorder.into(
                bytes -> {
                    try {
                        first.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
        recorder.of(agent.start(ProcessStart.of("x"), recorder));
        var stream = await(Frame.Kind.REQUEST).stream();
        for (var i = 0; i < 20_000; i++) {
            send(Frame.Kind.DATA, stream, (i % 2 == 0 ? "\1" : "\2") + "x");
        }
        send(Frame.Kind.END, stream, "{}");
        first.countDown();
        assertThat(recorder.end().exitCode()).isZero();
        assertThat(recorder.received()).isEqualTo(20_000);
    }

    @Test
    void endsWhenTheAgentTakesNothing() throws Exception {
        connect();
        var upload = agent.write("/x", ROOT);
        for (var i = 0; i < 4; i++) {
            agent.write("/x" + i, ROOT).send(ByteBuffer.allocate(Frame.WINDOW));
        }
        upload.send(ByteBuffer.allocate(Frame.WINDOW));
        assertEnded(ErrorCode.UNAVAILABLE);
        assertThatThrownBy(() -> await(upload.result())).hasCauseInstanceOf(AgentException.class);
    }

    @Test
    void closingFailsWhatWaitsAndFreesTheThreads() throws Exception {
        connect();
        var usage = agent.usage();
        var body = agent.read("/x", ROOT).next();
        var quiet = channel.quiesce(Duration.ofSeconds(20));
        channel.close();
        assertThatThrownBy(() -> await(usage)).hasCauseInstanceOf(AgentException.class);
        assertThatThrownBy(() -> await(body)).hasCauseInstanceOf(AgentException.class);
        assertThatThrownBy(() -> await(quiet)).hasCauseInstanceOf(AgentException.class);
        assertThatThrownBy(() -> await(agent.usage())).hasCauseInstanceOf(AgentException.class);
        for (var i = 0; i < 100 && threads() > 0; i++) {
            Thread.sleep(20);
        }
        assertThat(threads()).isZero();
    }

    @Test
    void doesNotTakeALateAnswerForThatOfTheNextQuiesce() throws Exception {
        connect();
        assertThatThrownBy(() -> await(channel.quiesce(Duration.ofMillis(50))))
                .hasCauseInstanceOf(AgentException.class);
        await(Frame.Kind.QUIESCE);
        channel.resume();
        var second = channel.quiesce(Duration.ofSeconds(5));
        await(Frame.Kind.QUIESCE);
        send(Frame.Kind.QUIESCED, 0, "{}");
        Thread.sleep(100);
        assertThat(second.toCompletableFuture()).isNotDone();
        var number = sequence;
        send(Frame.Kind.QUIESCED, 0, "{}");
        assertThat(await(second).sequence()).isEqualTo(number);
    }

    /** With less room. */
    private void reopen(Room room) throws Exception {
        held = room;
        reopen(new Patience(Duration.ofSeconds(5), Duration.ofSeconds(20)));
    }

    private void reopen(Patience patience) throws Exception {
        channel.close();
        channel = AgentChannel.open(fifos.in(), fifos.out(), "hostile", held, executor, patience);
        agent = new Agent(channel);
    }

    private static WatchEvents onlyTheEnd(CompletableFuture<AgentException> told) {
        return new WatchEvents() {
            @Override
            public void onStarted() {}

            @Override
            public void onEvent(FileEvent event, int cost) {}

            @Override
            public void onError(AgentException failure) {
                told.complete(failure);
            }
        };
    }

    private static void assertTooLarge(CompletionStage<?> stage) {
        assertThatThrownBy(() -> await(stage))
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
    }

    /** The channel does what it is asked for, and what was refused is not kept. */
    private void assertLivesOn() throws Exception {
        assertLives();
        assertNothingIsHeld();
    }

    private void assertLives() throws Exception {
        var usage = agent.usage();
        send(Frame.Kind.END, await(Frame.Kind.REQUEST).stream(), "{\"cpuCount\":3}");
        assertThat(await(usage).processors()).isEqualTo(3);
    }

    private void assertNothingIsHeld() throws Exception {
        assertHeld(0);
    }

    private void assertHeld(long bytes) throws Exception {
        for (var i = 0; i < 100 && held.used() != bytes; i++) {
            Thread.sleep(20);
        }
        assertThat(held.used()).isEqualTo(bytes);
    }

    private Hello connect() throws Exception {
        var hello = channel.connect(Duration.ofSeconds(5));
        answerHello("");
        return await(hello);
    }

    private void answerHello(String more) throws Exception {
        var asked = StandardCharsets.UTF_8.decode(await(Frame.Kind.HELLO).payload()).toString();
        var incarnation = asked.replaceAll(".*\"incarnation\":\"([^\"]+)\".*", "$1");
        sequence = 0;
        write(new byte[Frame.FILLER]);
        send(
                Frame.Kind.HELLO_ACK,
                0,
                "{\"version\":1,\"incarnation\":\"" + incarnation + "\"" + more + "}");
    }

    private Frame await(Frame.Kind kind) throws Exception {
        while (true) {
            for (var frame = frames.next(); frame != null; frame = frames.next()) {
                if (frame.kind() == kind) {
                    return frame;
                }
            }
            frames.readFrom(in);
        }
    }

    private void send(Frame.Kind kind, int stream, String payload) throws Exception {
        send(kind, 0, stream, payload);
    }

    private void send(Frame.Kind kind, int flags, int stream, String payload) throws Exception {
        var frame = ByteBuffer.allocate(Frame.FILLER);
        var body = ByteBuffer.wrap(payload.getBytes(StandardCharsets.UTF_8));
        Frame.put(frame, kind, flags, stream, sequence++, Frame.NO_CHANNEL, body);
        frame.flip();
        while (frame.hasRemaining()) {
            out.write(frame);
        }
    }

    private void write(byte[] bytes) throws Exception {
        out.write(ByteBuffer.wrap(bytes));
    }

    private void assertEnded(ErrorCode code) throws Exception {
        assertThat(await(channel.ended()).code()).isEqualTo(code);
        assertThat(channel.connected()).isFalse();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith("-hostile"))
                .count();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
