package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeValuesTest {
    private static final MachineSpec.Limits LIMITS =
            new MachineSpec.Limits(512L << 20, 1.5, 64, 256L << 20);

    @TempDir Path directory;

    @Test
    void machineIdsHaveOneLengthAndShape() {
        assertThat(MachineId.random().value()).hasSize(21).startsWith("r");
        for (String bad : List.of("", "r", "r../../../etc/passwd/", "R" + "a".repeat(20))) {
            assertThatThrownBy(() -> new MachineId(bad)).isInstanceOf(RuntimeException.class);
            assertThat(MachineId.of(bad)).isEmpty();
        }
    }

    @Test
    void refusesLimitsNoMachineCanLiveWith() {
        assertThatThrownBy(() -> new MachineSpec.Limits(1, 1, 64, 1L << 30))
                .hasMessageContaining("64 MiB");
        assertThatThrownBy(() -> new MachineSpec.Limits(1L << 30, Double.NaN, 64, 1L << 30))
                .hasMessageContaining("range");
        assertThat(LIMITS.hostTasks()).isGreaterThan(10 * LIMITS.processes());
    }

    @Test
    void refusesAHostNameThatIsNone() {
        assertThatThrownBy(() -> spec("a b")).hasMessageContaining("host name");
        assertThatThrownBy(() -> spec("-a")).hasMessageContaining("host name");
    }

    @Test
    void aRecordIsReadAsItWasWritten() throws IOException {
        var id = MachineId.random();
        var record =
                new Registration(
                        id,
                        Generation.SECOND,
                        7,
                        140,
                        Path.of("/build"),
                        Path.of("/template"),
                        Egress.EVERYTHING,
                        1L << 30,
                        12,
                        34,
                        Instant.parse("2026-01-02T03:04:05.678901Z"));
        record.write(directory);
        assertThat(Registration.read(directory)).contains(record);
        var lists =
                record.withEgress(
                        new Egress(
                                false,
                                List.of(new Egress.Range(1L << 24, (1L << 32) - 1)),
                                List.of(new Egress.Range(7, 7)),
                                List.of("*.a.example", "b.example")));
        lists.write(directory);
        assertThat(Registration.read(directory)).contains(lists);
    }

    @Test
    void aRecordOfAnOlderBuildHasNoLists() throws IOException {
        at(12, 34).withEgress(Egress.EVERYTHING).write(directory);
        Path file = directory.resolve("record.json");
        String old = Files.readString(file).replaceAll("\"(allow|deny|names)\":\\[[^]]*],?", "");
        assertThat(old).doesNotContain("names").contains("internet");
        Files.writeString(file, old);
        assertThat(Registration.read(directory))
                .hasValueSatisfying(
                        record -> assertThat(record.egress()).isEqualTo(Egress.EVERYTHING));
    }

    @Test
    void aBrokenRecordIsNone() throws IOException {
        for (String text : List.of("", "{", "[]", "{\"version\":1}", "{\"version\":2,\"id\":3}")) {
            Files.writeString(directory.resolve("record.json"), text);
            assertThat(Registration.read(directory)).as(text).isEmpty();
        }
    }

    @Test
    void aNumberUsedAgainIsNotTheProcess() {
        long pid = ProcessHandle.current().pid();
        long bornAt = Registration.bornAt(pid).orElseThrow();
        assertThat(at(pid, bornAt).alive()).isTrue();
        assertThat(at(pid, bornAt + 1).alive()).isFalse();
        assertThat(at(0, 0).alive()).isFalse();
    }

    @Test
    void theConfigurationLimitsEveryTmpfsAndGivesNoRawSockets() {
        var bundle =
                new Bundle(
                                spec("m"),
                                Path.of("/root"),
                                "hfabcd-1",
                                "/g/m",
                                Bundle.resources(LIMITS, true),
                                List.of())
                        .json();
        assertLimits(bundle);
    }

    @Test
    void theConfigurationBindsWhatIsSharedBehindTheSystemsOwnMounts() {
        var share = new MachineSpec.Share(Path.of("/host/v"), "/mnt/v");
        var mounts =
                new Bundle(
                                spec("m").sharing(List.of(share)),
                                Path.of("/root"),
                                "hfabcd-1",
                                "/g/m",
                                Bundle.resources(LIMITS, true),
                                List.of(share))
                        .json()
                        .getJsonArray("mounts");
        var last = mounts.getJsonObject(mounts.size() - 1);
        assertThat(last.getString("type")).isEqualTo("bind");
        assertThat(last.getString("source")).isEqualTo("/host/v");
        assertThat(last.getString("destination")).isEqualTo("/mnt/v");
        assertThat(last.getJsonArray("options").toString()).contains("nosuid", "nodev");
    }

    @Test
    @Tag("R75")
    void theConfigurationOfALightMachineHasAlsoUsersAndSystemCallsOfItsOwn() {
        var bundle =
                new LightBundle(
                                spec("m"),
                                Path.of("/run/stage"),
                                "hfabcd-1",
                                "/g/m",
                                Bundle.resources(LIMITS, true),
                                Runc.firstId(Network.SLOTS))
                        .json();
        assertLimits(bundle);
        var linux = bundle.getJsonObject("linux");
        var users = linux.getJsonArray("uidMappings").getJsonObject(0);
        assertThat(users.getJsonNumber("hostID").longValueExact())
                .isBetween(1L << 31, 0xFFFFFFFFL - Runc.IDS);
        assertThat(linux.getJsonArray("namespaces").toString()).contains("\"user\"");
        assertThat(bundle.getJsonObject("process").getBoolean("noNewPrivileges")).isTrue();
        assertThat(bundle.toString()).doesNotContain("CAP_SYS_ADMIN").doesNotContain("CAP_MKNOD");
        var seccomp = linux.getJsonObject("seccomp");
        assertThat(seccomp.getString("defaultAction")).isEqualTo("SCMP_ACT_ERRNO");
        for (String call :
                List.of("mount", "unshare", "setns", "bpf", "keyctl", "ptrace", "io_uring_setup")) {
            assertThat(seccomp.toString()).doesNotContain("\"" + call + "\"");
        }
        assertThat(SystemCalls.json("aarch64").build().getJsonArray("architectures").toString())
                .isEqualTo("[\"SCMP_ARCH_AARCH64\"]");
    }

    private static void assertLimits(JsonObject bundle) {
        bundle.getJsonArray("mounts").stream()
                .map(mount -> mount.asJsonObject())
                .filter(mount -> mount.getString("type").equals("tmpfs"))
                .forEach(
                        mount ->
                                assertThat(mount.getJsonArray("options").toString())
                                        .contains("size="));
        assertThat(bundle.toString()).doesNotContain("CAP_NET_RAW").doesNotContain("NET_ADMIN");
        assertThat(bundle.getJsonObject("linux").getJsonObject("resources").toString())
                .contains("\"limit\":536870912", "\"swap\":536870912", "\"quota\":150000");
    }

    @Test
    void errorsEndBeforeTheStacks() {
        assertThat(Engine.words("restoring: EOF\n\ngoroutine 1 [running]:\n..."))
                .isEqualTo("restoring: EOF");
        assertThat(Engine.words("x".repeat(100_000))).hasSizeLessThan(2100);
    }

    @Test
    void aCommandIsBoundedInTimeAndKnowsNothingOfTheServer() {
        long begin = System.nanoTime();
        Command late = Command.await(Command.start(List.of("sleep", "60")), Duration.ofMillis(200));
        assertThat(late.failed()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        assertThat(Command.must("env").lines()).allMatch(line -> line.matches("(PATH|LC_ALL)=.*"));
    }

    private static Registration at(long pid, long bornAt) {
        return new Registration(
                MachineId.random(),
                Generation.SECOND,
                1,
                140,
                Path.of("/b"),
                Path.of("/t"),
                Egress.NOTHING,
                1,
                pid,
                bornAt,
                Instant.EPOCH);
    }

    private static MachineSpec spec(String hostname) {
        return new MachineSpec(
                MachineId.random(),
                Generation.SECOND,
                Path.of("/b"),
                Path.of("/t"),
                LIMITS,
                Egress.EVERYTHING,
                hostname,
                List.of("/agent"));
    }
}
