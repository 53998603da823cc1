package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every agent must do, shown on the real one. */
@Timeout(120)
class AgentContractTest {

    private static final int REPEAT = Integer.getInteger("holdfast.repeat", 5);
    private static final Optional<String> ROOT = Optional.of("root");
    private static final int MIB = 1 << 20;

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
        files = Files.createTempDirectory("agent-files");
        connect();
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
    void saysWhoItIs() throws Exception {
        var hello = connect();
        assertThat(hello.version()).isEqualTo(1);
        assertThat(hello.pid()).isEqualTo(1);
    }

    @Test
    void tellsOutputErrorAndExitCode() throws Exception {
        var run = start(sh("echo out; echo err >&2; exit 3"));
        assertThat(run.end()).isEqualTo(new ProcessEnd(3, 0));
        assertThat(run.stdout()).isEqualTo("out\n");
        assertThat(run.text(OutputChannel.STDERR)).isEqualTo("err\n");
    }

    @Test
    void tellsTheSignalThatEndedAProcess() throws Exception {
        assertThat(start(sh("kill -9 $$")).end()).isEqualTo(new ProcessEnd(0, 9));
    }

    @Test
    void endsOnlyWhenAllOutputIsClosed() throws Exception {
        var run = start(sh("(sleep 0.5; echo late) & exit 0"));
        assertThat(run.end().exitCode()).isZero();
        assertThat(run.stdout()).isEqualTo("late\n");
    }

    @Test
    void givesAProcessItsUserEnvironmentAndDirectory() throws Exception {
        await(agent.environment(Map.of("A", "sandbox", "B", "sandbox")));
        var run =
                start(
                        sh("id -un; pwd; echo $A $B; echo $HOME $USER $LOGNAME; umask")
                                .as("daemon")
                                .in("/tmp")
                                .with(Map.of("B", "request")));
        assertThat(run.end().exitCode()).isZero();
        assertThat(run.stdout())
                .isEqualTo("daemon\n/tmp\nsandbox request\n/usr/sbin daemon daemon\n0022\n");
    }

    @Test
    void leaksNoDescriptorAndNoSignalSetting() throws Exception {
        var run =
                start(
                        sh("ls -1 /proc/self/fd | tr '\\n' ' '; grep -h SigIgn /proc/self/status")
                                .as("root"));
        run.end();
        assertThat(run.stdout()).startsWith("0 1 2 3 ");
        var ignored = run.stdout().substring(run.stdout().indexOf("SigIgn:") + 7).trim();
        assertThat(Long.parseUnsignedLong(ignored, 16) & 0x7FFFFFFF)
                .as("ordinary signals ignored")
                .isZero();
    }

    @Test
    void refusesUnknownUsersCommandsAndDirectories() throws Exception {
        assertFails(ErrorCode.UNKNOWN_USER, () -> start(sh("true").as("nobody-here")).end());
        assertFails(
                ErrorCode.NOT_FOUND,
                () -> start(ProcessStart.of("no-such-command").as("root")).end());
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> start(sh("true").in("/no/such")).end());
        assertFails(
                ErrorCode.PERMISSION_DENIED,
                () -> start(ProcessStart.of("/etc/passwd").as("root")).end());
    }

    @Test
    void doesNotKillAProcessWhoseFollowerLeft() throws Exception {
        var run = start(sh("exec sleep 60").tagged("stays"));
        var pid = run.pid();
        run.stream().detach();
        assertThat(await(agent.processes())).extracting(ProcessEntry::pid).containsExactly(pid);
        var again = attach(ProcessRef.tag("stays"));
        assertThat(again.pid()).isEqualTo(pid);
        await(agent.signal(ProcessRef.pid(pid), 15));
        assertThat(again.end().signal()).isEqualTo(15);
        assertThat(await(agent.processes())).isEmpty();
    }

    @Test
    void tellsTheEndOfAProcessThatIsAlreadyOver() throws Exception {
        var run = start(sh("exit 7"));
        run.end();
        assertThat(attach(ProcessRef.pid(run.pid())).end().exitCode()).isEqualTo(7);
        assertFails(ErrorCode.NOT_FOUND, () -> await(agent.signal(ProcessRef.pid(run.pid()), 9)));
        assertFails(ErrorCode.NOT_FOUND, () -> attach(ProcessRef.pid(99_999)).end());
    }

    @Test
    void tellsSeveralFollowersTheSame() throws Exception {
        var first =
                start(
                        ProcessStart.of("sh", "-c", "read x; echo $x; read y")
                                .as("root")
                                .withStdin());
        var second = attach(ProcessRef.pid(first.pid()));
        second.pid();
        await(agent.input(ProcessRef.pid(first.pid()), bytes("both\n")));
        first.await(5, Duration.ofSeconds(5));
        second.await(5, Duration.ofSeconds(5));
        await(agent.closeStdin(ProcessRef.pid(first.pid())));
        first.end();
        second.end();
        assertThat(second.stdout()).isEqualTo("both\n");
    }

    @Test
    void writesLargeInputAndClosesIt() throws Exception {
        var run = start(ProcessStart.of("sha256sum").as("root").withStdin());
        var content = content(3 * MIB);
        await(agent.input(ProcessRef.pid(run.pid()), ByteBuffer.wrap(content)));
        await(agent.closeStdin(ProcessRef.pid(run.pid())));
        assertThat(run.end().exitCode()).isZero();
        assertThat(run.stdout()).startsWith(sha256(content));
    }

    @Test
    void refusesInputWhereThereIsNone() throws Exception {
        var run = start(sh("cat; sleep 60"));
        var process = ProcessRef.pid(run.pid());
        assertFails(ErrorCode.FAILED_PRECONDITION, () -> await(agent.input(process, bytes("x"))));
        assertFails(ErrorCode.FAILED_PRECONDITION, () -> await(agent.type(process, bytes("x"))));
        await(agent.signal(process, 9));
    }

    @Test
    void givesATerminalAndResizesIt() throws Exception {
        var size = new ProcessStart.Terminal(77, 20);
        var run = start(ProcessStart.of("bash", "--norc", "-i").as("root").on(size));
        var process = ProcessRef.pid(run.pid());
        await(agent.type(process, bytes("stty size; tty\n")));
        awaitText(run, "20 77");
        await(agent.resize(process, new ProcessStart.Terminal(101, 30)));
        await(agent.type(process, bytes("stty size\n")));
        awaitText(run, "30 101");
        await(agent.type(process, bytes("exit 4\n")));
        assertThat(run.end().exitCode()).isEqualTo(4);
    }

    @Test
    void endsATerminalThatABackgroundProcessHoldsOpen() throws Exception {
        var run =
                start(
                        ProcessStart.of("sh", "-c", "trap '' HUP; sleep 30 & echo started")
                                .as("root")
                                .on(new ProcessStart.Terminal(80, 24)));
        assertThat(run.end().exitCode()).isZero();
        assertThat(run.text(OutputChannel.PTY)).contains("started");
    }

    @Test
    void carriesLargeBinaryOutputUnchanged() throws Exception {
        var content = content(64 * MIB);
        Files.write(files.resolve("large"), content);
        var digest = MessageDigest.getInstance("SHA-256");
        var recorder = new Recorder().into(digest::update);
        recorder.of(
                agent.start(
                        ProcessStart.of("cat", files.resolve("large").toString()).as("root"),
                        recorder));
        assertThat(recorder.end().exitCode()).isZero();
        assertThat(recorder.received()).isEqualTo(content.length);
        assertThat(HexFormat.of().formatHex(digest.digest())).isEqualTo(sha256(content));
    }

    @Test
    void letsAFastReaderPassASlowOne() throws Exception {
        var slow = new Recorder(false);
        slow.of(
                agent.start(
                        ProcessStart.of("head", "-c", "2000000", "/dev/zero").as("root"), slow));
        slow.await(Frame.WINDOW, Duration.ofSeconds(10));
        var fast = start(ProcessStart.of("head", "-c", "20000000", "/dev/zero").as("root"));
        fast.end();
        assertThat(fast.received()).isEqualTo(20_000_000);
        assertThat(slow.received()).isEqualTo(Frame.WINDOW);
        while (!slow.isOver()) {
            slow.giveBack();
            Thread.sleep(1);
        }
        assertThat(slow.received()).isEqualTo(2_000_000);
    }

    @Test
    void cutsOffAFollowerThatHoldsUpTheOthers() throws Exception {
        channel.close();
        process.close();
        process = AgentProcess.impatient(fifos, 2);
        connect();
        var good = new Recorder().into(bytes -> {});
        good.of(
                agent.start(
                        ProcessStart.of("head", "-c", "3000000", "/dev/zero").as("root"), good));
        var stuck = new Recorder(false);
        stuck.of(agent.attach(ProcessRef.pid(good.pid()), stuck));
        var quiet = new Recorder(false);
        quiet.of(agent.start(sh("head -c 262144 /dev/zero; sleep 6"), quiet));
        assertFails(ErrorCode.RESOURCE_EXHAUSTED, stuck::end);
        assertThat(good.end().exitCode()).isZero();
        assertThat(good.received()).isEqualTo(3_000_000);
        assertThat(quiet.end().exitCode())
                .as("holds up nothing, though it gave nothing back")
                .isZero();
    }

    @Test
    void neverBlocksAProcessThatNobodyFollows() throws Exception {
        var run = start(sh("head -c 5000000 /dev/zero; touch " + files.resolve("done")));
        run.stream().detach();
        for (var i = 0; i < 100 && !Files.exists(files.resolve("done")); i++) {
            Thread.sleep(50);
        }
        assertThat(files.resolve("done")).exists();
    }

    @Test
    void runsManyStreamsAtOnce() throws Exception {
        var runs = new ArrayList<Recorder>();
        for (var i = 0; i < 100; i++) {
            runs.add(
                    start(
                            ProcessStart.of("sh", "-c", "head -c 100000 /dev/zero; echo " + i)
                                    .as("root")));
        }
        for (var i = 0; i < 100; i++) {
            assertThat(runs.get(i).end().exitCode()).isZero();
            assertThat(runs.get(i).stdout())
                    .hasSize(100_001 + Integer.toString(i).length())
                    .endsWith(i + "\n");
        }
    }

    @Test
    void carriesRequestsAndListsLargerThanAFrame() throws Exception {
        var large = "x".repeat(100_000);
        var run =
                start(
                        sh("echo ${#LARGE} $(echo $BOTH | wc -c); sleep 60")
                                .with(Map.of("LARGE", large, "BOTH", large)));
        run.await(5, Duration.ofSeconds(5));
        assertThat(run.stdout()).isEqualTo("100000 100001\n");
        assertThat(await(agent.processes()).get(0).environment()).containsEntry("LARGE", large);
        await(agent.signal(ProcessRef.pid(run.pid()), 9));
        assertFails(
                ErrorCode.INVALID_ARGUMENT,
                () -> start(sh("true").with(Map.of("A", "x".repeat(2 * MIB)))).end());
    }

    @Test
    void reapsOrphans() throws Exception {
        start(sh("for i in 1 2 3 4 5; do (sleep 0.1 &) ; done; exit 0")).end();
        Thread.sleep(300);
        var run = start(sh("grep -l '^State:.Z' /proc/[0-9]*/status | wc -l"));
        run.end();
        assertThat(run.stdout()).isEqualTo("0\n");
    }

    @Test
    void holdsTheLimitOfProcesses() throws Exception {
        await(agent.identify(identity(30)));
        var run = start(sh("for i in $(seq 60); do sleep 30 > /dev/null 2>&1 & done").as("games"));
        assertThat(run.end().exitCode()).isNotZero();
        var alive = start(sh("pgrep -c -u games"));
        alive.end();
        assertThat(Integer.parseInt(alive.stdout().trim())).isBetween(20, 30);
        assertThat(start(sh("true").as("root")).end().exitCode()).isZero();
    }

    @Test
    void bringsAFileInAndOut() throws Exception {
        var content = content(64 * MIB);
        var path = files.resolve("a/b/large").toString();
        var upload = agent.write(path, Optional.of("daemon"));
        for (var at = 0; at < content.length; at += MIB) {
            await(upload.send(ByteBuffer.wrap(content, at, MIB)));
        }
        var entry = await(upload.finish());
        assertThat(entry.size()).isEqualTo(content.length);
        assertThat(entry.owner()).isEqualTo("daemon");
        assertThat(entry.permissions()).isEqualTo("-rw-r--r--");
        assertThat(await(agent.stat(files.resolve("a").toString(), ROOT)).permissions())
                .isEqualTo("drwxr-xr-x");
        assertThat(await(agent.stat(files.resolve("a").toString(), ROOT)).owner())
                .isEqualTo("daemon");
        var body = agent.read(path, ROOT);
        assertThat(await(body.extent()))
                .isEqualTo(new FileBody.Extent(content.length, content.length));
        assertThat(sha256(body)).isEqualTo(sha256(content));
    }

    @Test
    void readsAPartOfAFileAndAnEmptyAndAGeneratedOne() throws Exception {
        Files.writeString(files.resolve("digits"), "0123456789");
        Files.createFile(files.resolve("empty"));
        assertThat(text(agent.read(files.resolve("digits").toString(), ROOT, 3, 4)))
                .isEqualTo("3456");
        assertThat(text(agent.read(files.resolve("digits").toString(), ROOT, 8, 100)))
                .isEqualTo("89");
        assertThat(text(agent.read(files.resolve("empty").toString(), ROOT))).isEmpty();
        assertThat(text(agent.read("/proc/self/status", ROOT))).contains("Name:");
    }

    @Test
    void keepsTheModeOfAnExistingFileAndReplacesItsContent() throws Exception {
        var path = files.resolve("script");
        Files.writeString(path, "something longer");
        Files.setPosixFilePermissions(
                path, java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
        var entry = await(agent.write(path.toString(), ROOT).finish(bytes("short")));
        assertThat(entry.permissions()).isEqualTo("-rwx------");
        assertThat(Files.readString(path)).isEqualTo("short");
    }

    @Test
    void refusesWhatIsNoRegularFile() throws Exception {
        var fifo = files.resolve("fifo").toString();
        new ProcessBuilder("mkfifo", fifo).start().waitFor();
        assertFails(
                ErrorCode.IS_A_DIRECTORY,
                () -> await(agent.write(files.toString(), ROOT).finish()));
        assertFails(ErrorCode.IS_A_DIRECTORY, () -> text(agent.read(files.toString(), ROOT)));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> text(agent.read(fifo, ROOT)));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> text(agent.read("/dev/zero", ROOT)));
        assertFails(
                ErrorCode.NOT_FOUND,
                () -> text(agent.read(files.resolve("none").toString(), ROOT)));
        assertFails(
                ErrorCode.UNKNOWN_USER,
                () -> text(agent.read("/etc/passwd", Optional.of("nobody-here"))));
    }

    @Test
    void saysWhenTheDiskIsFull() throws Exception {
        var mounted = start(sh("mount -t tmpfs -o size=1m none " + files));
        assertThat(mounted.end().exitCode()).isZero();
        var upload = agent.write(files.resolve("big").toString(), ROOT);
        assertFails(
                ErrorCode.NO_SPACE, () -> await(upload.finish(ByteBuffer.wrap(content(3 * MIB)))));
    }

    @Test
    void movesAcrossFileSystems() throws Exception {
        var other = files.resolve("other");
        Files.createDirectories(other);
        start(
                        sh(
                                "mount -t tmpfs none "
                                        + other
                                        + " && mkdir -p "
                                        + files
                                        + "/tree/sub && ln -s sub "
                                        + files
                                        + "/tree/link && echo deep > "
                                        + files
                                        + "/tree/sub/file && chmod 640 "
                                        + files
                                        + "/tree/sub/file"))
                .end();
        await(
                agent.move(
                        files.resolve("tree").toString(),
                        other.resolve("new/place").toString(),
                        ROOT));
        var moved = await(agent.list(other.resolve("new").toString(), ROOT, 5));
        assertThat(moved)
                .extracting(FileEntry::name)
                .containsExactly("place", "link", "sub", "file");
        assertThat(moved.get(3).permissions()).isEqualTo("-rw-r-----");
        assertThat(files.resolve("tree")).doesNotExist();
    }

    @Test
    void listsParentsFirstInByteOrderAndFollowsNoLink() throws Exception {
        Files.createDirectories(files.resolve("b/c"));
        Files.createFile(files.resolve("b/c/deep"));
        Files.createFile(files.resolve("Z"));
        Files.createSymbolicLink(files.resolve("a"), Path.of("b"));
        Files.createSymbolicLink(files.resolve("d"), Path.of("nowhere"));
        var one = await(agent.list(files.toString(), ROOT, 1));
        assertThat(one).extracting(FileEntry::name).containsExactly("Z", "a", "b", "d");
        assertThat(one.get(1).type()).isEqualTo(FileEntry.Type.DIRECTORY);
        assertThat(one.get(1).target()).contains(files.toRealPath().resolve("b").toString());
        assertThat(one.get(1).permissions()).isEqualTo("Lrwxrwxrwx");
        assertThat(one.get(3).type()).isEqualTo(FileEntry.Type.SYMLINK);
        var all = await(agent.list(files.resolve("a").toString(), ROOT, 9));
        assertThat(all)
                .extracting(FileEntry::path)
                .containsExactly(files + "/a/c", files + "/a/c/deep");
        assertFails(
                ErrorCode.NOT_A_DIRECTORY,
                () -> await(agent.list(files.resolve("Z").toString(), ROOT, 1)));
        assertFails(
                ErrorCode.NOT_FOUND,
                () -> await(agent.list(files.resolve("none").toString(), ROOT, 1)));
    }

    @Test
    void makesAndRemovesTrees() throws Exception {
        var deep = files.resolve("one/two/three").toString();
        assertThat(await(agent.makeDirectory(deep, ROOT)).type())
                .isEqualTo(FileEntry.Type.DIRECTORY);
        assertFails(ErrorCode.ALREADY_EXISTS, () -> await(agent.makeDirectory(deep, ROOT)));
        Files.writeString(Path.of(deep, "file"), "x");
        assertFails(
                ErrorCode.INVALID_ARGUMENT, () -> await(agent.makeDirectory(deep + "/file", ROOT)));
        await(agent.remove(files.resolve("one").toString(), ROOT));
        await(agent.remove(files.resolve("one").toString(), ROOT));
        assertThat(files.resolve("one")).doesNotExist();
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> await(agent.remove("/", ROOT)));
    }

    @Test
    void understandsPathsOfTheUser() throws Exception {
        assertThat(await(agent.stat("~", ROOT)).path()).isEqualTo("/root");
        assertThat(await(agent.stat("", ROOT)).path()).isEqualTo("/root");
        assertThat(await(agent.stat("../etc/./passwd", ROOT)).path()).isEqualTo("/etc/passwd");
        assertThat(await(agent.stat("//etc//passwd", ROOT)).path()).isEqualTo("/etc/passwd");
        assertThat(await(agent.stat("../../../..", ROOT)).path()).isEqualTo("/");
        assertThat(await(agent.stat("~/..", Optional.of("1"))).path()).isEqualTo("/usr");
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> await(agent.stat("~daemon", ROOT)));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> await(agent.stat("a\0b", ROOT)));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> await(agent.stat("a/".repeat(3000), ROOT)));
    }

    @Test
    void tellsUsage() throws Exception {
        var usage = await(agent.usage());
        assertThat(usage.memoryTotal()).isPositive();
        assertThat(usage.diskTotal()).isPositive();
        assertThat(usage.processors()).isPositive();
    }

    @Test
    void detachesAFormerIncarnationInMidStreamAndKeepsItsProcesses() throws Exception {
        for (var round = 0; round < REPEAT; round++) {
            var run = start(ProcessStart.of("cat", "/dev/zero").as("root").tagged("flood" + round));
            run.await(MIB, Duration.ofSeconds(10));
            var upload = agent.write(files.resolve("half").toString(), ROOT);
            upload.send(ByteBuffer.wrap(content(2 * MIB)));
            channel.close();
            assertThatThrownBy(run::end).hasCauseInstanceOf(AgentException.class);
            leaveHalfAFrame(round);
            connect();
            assertThat(await(agent.processes())).extracting(ProcessEntry::pid).contains(run.pid());
            var again = attach(ProcessRef.tag("flood" + round));
            again.await(MIB, Duration.ofSeconds(10));
            await(agent.signal(ProcessRef.pid(run.pid()), 9));
            assertThat(again.end().signal()).isEqualTo(9);
        }
    }

    @Test
    void losesAndRepeatsNothingAroundQuiescing() throws Exception {
        var runs = new ArrayList<Recorder>();
        for (var i = 0; i < 3; i++) {
            runs.add(start(ProcessStart.of("seq", "1", "400000").as("root")));
        }
        var silent = new long[1];
        for (var cycle = 0; cycle < REPEAT * 2; cycle++) {
            await(channel.quiesce(Duration.ofSeconds(10)));
            Thread.sleep(20);
            silent[0] = runs.stream().mapToLong(Recorder::received).sum();
            var held = start(sh("echo held " + cycle));
            Thread.sleep(20);
            assertThat(runs.stream().mapToLong(Recorder::received).sum()).isEqualTo(silent[0]);
            assertThat(held.isOver()).isFalse();
            channel.resume();
            held.end();
            assertThat(held.stdout()).isEqualTo("held " + cycle + "\n");
        }
        var expected = new StringBuilder();
        for (var i = 1; i <= 400_000; i++) {
            expected.append(i).append('\n');
        }
        for (var run : runs) {
            run.end();
            assertThat(run.stdout().contentEquals(expected)).isTrue();
        }
    }

    @Test
    void refusesToBeQuietTwiceAndResumesAfterAFailure() throws Exception {
        await(channel.quiesce(Duration.ofSeconds(5)));
        assertFails(
                ErrorCode.FAILED_PRECONDITION, () -> await(channel.quiesce(Duration.ofSeconds(5))));
        channel.resume();
        channel.resume();
        assertThat(start(sh("true")).end().exitCode()).isZero();
    }

    @Test
    void takesAHelloWhileQuiet() throws Exception {
        await(channel.quiesce(Duration.ofSeconds(5)));
        channel.close();
        connect();
        assertThat(start(sh("true")).end().exitCode()).isZero();
    }

    @Test
    void identifiesItselfAnew() throws Exception {
        var report = await(agent.identify(identity(256)));
        assertThat(report.done()).containsExactly("hostname", "machine", "files", "random");
        assertThat(Math.abs(report.clockSkewMillis())).isLessThan(5000);
        var run =
                start(
                        sh(
                                "echo $HOLDFAST_SANDBOX_ID $MARK; hostname; cat /etc/machine-id; ."
                                        + " /run/holdfast/environment; echo $MARK"));
        run.end();
        assertThat(run.stdout())
                .isEqualTo("i0123456789 here\nclone-7\n" + "0".repeat(32) + "\nhere\n");
        assertThat(connect().sandbox()).isEqualTo("i0123456789");
    }

    @Test
    void tellsALateWriterThatItsProcessIsNoMore() throws Exception {
        var run = start(sh("read line").withStdin().tagged("reader"));
        var input = agent.input(ProcessRef.tag("reader"), false);
        await(input.send(bytes("first\n")));
        run.end();
        input.send(bytes("late\n"));
        assertFails(ErrorCode.NOT_FOUND, () -> await(input.result()));
    }

    // Below: how the tests speak

    private Hello connect() throws Exception {
        if (channel != null) {
            channel.close();
        }
        channel = RealAgent.open(fifos, executor);
        agent = new Agent(channel);
        return await(channel.connect(Duration.ofSeconds(10)));
    }

    /** What a server leaves behind that dies while it writes. */
    private void leaveHalfAFrame(int round) throws Exception {
        var frame = ByteBuffer.allocate(Frame.FILLER);
        Frame.put(frame, Frame.Kind.DATA, 0, 1, 5, 0, ByteBuffer.allocate(Frame.MAX_BODY));
        try (var in =
                java.nio.channels.FileChannel.open(
                        fifos.in(),
                        java.nio.file.StandardOpenOption.READ,
                        java.nio.file.StandardOpenOption.WRITE)) {
            in.write(frame.flip().limit(new Random(round).nextInt(Frame.FILLER)));
        }
    }

    private static ProcessStart sh(String script) {
        return ProcessStart.of("sh", "-c", script).as("root");
    }

    private Recorder start(ProcessStart start) {
        var recorder = new Recorder();
        return recorder.of(agent.start(start, recorder));
    }

    private Recorder attach(ProcessRef ref) {
        var recorder = new Recorder();
        return recorder.of(agent.attach(ref, recorder));
    }

    private static Identity identity(int processes) {
        return new Identity(
                "i0123456789",
                "clone-7",
                "0".repeat(32),
                Map.of("MARK", "here"),
                processes,
                Instant.now());
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static void awaitText(Recorder run, String text) throws Exception {
        for (var i = 0; i < 200 && !run.text(OutputChannel.PTY).contains(text); i++) {
            Thread.sleep(25);
        }
        assertThat(run.text(OutputChannel.PTY)).contains(text);
    }

    private static void assertFails(
            ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] content(int length) {
        var content = new byte[length];
        new Random(length).nextBytes(content);
        return content;
    }

    private static String text(FileBody body) throws Exception {
        var text = new StringBuilder();
        for (var piece = await(body.next()); piece.isPresent(); piece = await(body.next())) {
            text.append(StandardCharsets.UTF_8.decode(piece.get()));
        }
        return text.toString();
    }

    private static String sha256(FileBody body) throws Exception {
        var digest = MessageDigest.getInstance("SHA-256");
        for (var piece = await(body.next()); piece.isPresent(); piece = await(body.next())) {
            digest.update(piece.get());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String sha256(byte[] content) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }
}
