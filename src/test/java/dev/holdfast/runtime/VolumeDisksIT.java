package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File systems of volumes on this host, without any machine. */
class VolumeDisksIT {

    private static final long SIZE = 16L << 20;

    @TempDir Path home;

    private final UUID id = UUID.randomUUID();
    private VolumeDisks disks;

    @BeforeEach
    void makesOne() throws IOException {
        Files.createDirectories(home.resolve("worker"));
        disks = disks();
        disks.make(id, SIZE);
        disks.open(id);
    }

    @AfterEach
    void leavesNothing() throws IOException {
        disks.remove(id);
        disks.closeAll();
        assertThat(Mounts.under(home)).isEmpty();
        assertThat(home.resolve("volumes")).isEmptyDirectory();
        assertThat(home.resolve("worker/volumes")).doesNotExist();
    }

    @Test
    @Tag("R73")
    void nothingOnItLeadsAnywhereElseOrHoldsAnybodyUp() throws Exception {
        Path content = disks.content(id);
        Files.createSymbolicLink(content.resolve("etc"), Path.of("/etc"));
        Command.must("mkfifo", content.resolve("pipe").toString());
        Command.must("mknod", content.resolve("null").toString(), "c", "1", "3");

        assertThatThrownBy(() -> Files.readString(content.resolve("etc/passwd")))
                .hasMessageContaining("Too many levels of symbolic links");
        assertThatThrownBy(() -> Files.writeString(content.resolve("null"), "x"))
                .isInstanceOf(IOException.class);
        try (FileChannel pipe =
                FileChannel.open(
                        content.resolve("pipe"),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS)) {
            assertThatThrownBy(() -> pipe.read(ByteBuffer.allocate(1), 0))
                    .hasMessageContaining("Illegal seek");
        }
    }

    @Test
    @Tag("R73")
    void isFullAtItsSizeAndGrowsWhenNothingHasIt() throws Exception {
        Path big = disks.content(id).resolve("big");
        assertThatThrownBy(() -> Files.write(big, new byte[(int) SIZE]))
                .hasMessageContaining("No space left on device");
        assertThat(disks.space(id).used()).isGreaterThan(SIZE / 2).isLessThan(SIZE);
        Files.writeString(big, "small");

        Path elsewhere = Files.createDirectory(home.resolve("elsewhere"));
        Process machine =
                Command.startSilent(
                        List.of(
                                "unshare",
                                "--mount",
                                "--propagation",
                                "private",
                                "sh",
                                "-c",
                                "mount --bind \"$1\" \"$2\"; touch \"$1/seen\"; exec sleep 60",
                                "sh",
                                disks.content(id).toString(),
                                elsewhere.toString()));
        Eventually.await("something has it", () -> Files.exists(disks.content(id).resolve("seen")));
        assertThat(disks.isSmallerThan(id, 4 * SIZE)).isTrue();
        assertThatThrownBy(() -> disks.grow(id, 4 * SIZE)).hasMessageContaining("in use");
        disks.open(id);
        assertThat(big).hasContent("small");

        machine.destroy();
        machine.waitFor();
        disks.grow(id, 4 * SIZE);
        disks.open(id);
        assertThat(disks.space(id).total()).isGreaterThan(3 * SIZE);
        assertThat(big).hasContent("small");
    }

    @Test
    void aLaterRunFindsItAsItWasButForWhatHadNotComeInWhole() throws Exception {
        Files.writeString(disks.content(id).resolve("kept"), "kept");
        Path half = disks.incoming(id);
        Files.writeString(half, "half");

        disks = disks();
        disks.open(id);

        assertThat(half).doesNotExist();
        assertThat(disks.content(id).resolve("kept")).hasContent("kept");
        disks.make(id, SIZE);
        assertThat(disks.content(id).resolve("kept")).as("made once").exists();
    }

    private VolumeDisks disks() {
        return new VolumeDisks(home.resolve("volumes"), home);
    }
}
