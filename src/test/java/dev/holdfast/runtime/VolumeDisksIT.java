package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
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
    void whatAnEarlierRunMountedOtherwiseIsShutAsWell() throws Exception {
        Path content = disks.content(id);
        Files.createSymbolicLink(content.resolve("etc"), Path.of("/etc"));
        disks.closeAll();
        Mounts.disk(home.resolve("volumes/" + id + ".img"), content.getParent(), "noatime,discard");
        assertThat(content.resolve("etc/passwd")).as("a link leads out").exists();

        disks = disks();
        disks.open(id);

        assertThatThrownBy(() -> Files.readString(content.resolve("etc/passwd")))
                .hasMessageContaining("Too many levels of symbolic links");
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
        assertThat(disks.isToGrow(id, 4 * SIZE)).isTrue();
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

    /** As it is when somebody asks for more room in the middle of an upload. */
    @Test
    @Tag("R73")
    void whatComesInOutlivesAGrowthThatCannotBe() throws Exception {
        Path half = disks.incoming(id);
        try (FileChannel coming =
                FileChannel.open(half, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            coming.write(ByteBuffer.wrap("ha".getBytes()));
            assertThatThrownBy(() -> disks.grow(id, 4 * SIZE)).hasMessageContaining("busy");
            disks.open(id);
            coming.write(ByteBuffer.wrap("lf".getBytes()));
        }
        assertThat(half).hasContent("half");
        assertThat(disks.size(id)).isEqualTo(SIZE);
        disks.grow(id, 4 * SIZE);
        assertThat(disks.size(id)).isEqualTo(4 * SIZE);
    }

    /** What a crash leaves, at each step of a growth. */
    @Test
    @Tag("R73")
    void aGrowthThatWasBrokenOffIsDoneBeforeAnybodyMountsIt() throws Exception {
        Files.writeString(disks.content(id).resolve("kept"), "kept");
        disks.closeAll();
        Path image = home.resolve("volumes/" + id + ".img");
        Files.createFile(home.resolve("volumes/" + id + ".growing"));
        assertGrows(SIZE, SIZE / 2);

        Files.createFile(home.resolve("volumes/" + id + ".growing"));
        Command.must("fallocate", "--length", Long.toString(4 * SIZE), image.toString());
        assertGrows(SIZE, 3 * SIZE);
    }

    private void assertGrows(long asked, long least) throws IOException {
        disks = disks();
        assertThatThrownBy(() -> disks.open(id)).hasMessageContaining("broken off");
        assertThat(disks.isToGrow(id, asked)).isTrue();
        disks.grow(id, asked);
        assertThat(disks.isToGrow(id, asked)).isFalse();
        disks.open(id);
        assertThat(disks.space(id).total()).isGreaterThan(least);
        assertThat(disks.content(id).resolve("kept")).hasContent("kept");
        disks.closeAll();
    }

    @Test
    @Tag("R73")
    void keepsWhatItTookOfTheDiskAndAFullDiskHurtsNothingOnIt() throws Exception {
        Path small = home.resolve("small.img");
        Path disk = Files.createDirectory(home.resolve("disk"));
        Command.must("fallocate", "--length", Long.toString(6 * SIZE), small.toString());
        Command.must("mkfs.ext4", "-q", "-F", "-m", "0", small.toString());
        Mounts.image(small, disk, "noatime");
        Path other = Files.createDirectories(home.resolve("other"));
        VolumeDisks bounded = new VolumeDisks(disk.resolve("volumes"), other, SIZE);
        try {
            fillsUpAround(bounded, disk);
        } finally {
            bounded.closeAll();
            Mounts.unmount(disk);
        }
    }

    private void fillsUpAround(VolumeDisks bounded, Path disk) throws Exception {
        long room = bounded.room();
        bounded.make(id, 2 * SIZE);
        assertThat(bounded.room()).isLessThanOrEqualTo(room - 2 * SIZE);
        UUID another = UUID.randomUUID();
        assertThatThrownBy(() -> bounded.make(another, room)).hasMessageContaining("no room");
        assertThatThrownBy(() -> bounded.grow(id, 2 * room)).hasMessageContaining("no room");
        assertThat(bounded.exists(another)).isFalse();
        assertThat(disk.resolve("volumes"))
                .isDirectoryNotContaining(file -> !file.toString().endsWith(id + ".img"));
        assertThat(bounded.size(id)).isEqualTo(2 * SIZE);

        bounded.open(id);
        Path content = bounded.content(id);
        Files.write(content.resolve("gone"), new byte[(int) SIZE]);
        Command.must("sync", "--file-system", content.toString());
        Files.delete(content.resolve("gone"));
        Command.must("sync", "--file-system", content.toString());
        assertThatThrownBy(
                        () -> {
                            try (OutputStream rest =
                                    Files.newOutputStream(disk.resolve("everything-else"))) {
                                for (byte[] piece = new byte[1 << 16]; ; ) {
                                    rest.write(piece);
                                }
                            }
                        })
                .hasMessageContaining("No space left");

        byte[] written = new byte[(int) (SIZE + SIZE / 2)];
        new Random(7).nextBytes(written);
        Path file = content.resolve("written");
        Files.write(file, written);
        Command.must("sync", "--file-system", content.toString());
        bounded.closeAll();
        VolumeDisks later = new VolumeDisks(disk.resolve("volumes"), home.resolve("other"), SIZE);
        later.open(id);
        assertThat(Files.readAllBytes(file)).isEqualTo(written);
        assertThat(later.room()).isNegative();
        later.remove(id);
    }

    /** One that an earlier version made takes its blocks as they come. */
    @Test
    void fillsWhatTookOnlyWhatItNeeded() {
        Path image = home.resolve("volumes/" + id + ".img");
        Path sparse = home.resolve("sparse.img");
        Command.must("cp", "--sparse=always", image.toString(), sparse.toString());
        Command.must("mv", sparse.toString(), image.toString());
        assertThat(blocks(image)).isLessThan(SIZE);
        disks.fill(id);
        assertThat(blocks(image)).isGreaterThanOrEqualTo(SIZE);
    }

    private static long blocks(Path file) {
        return 512 * Long.parseLong(Command.must("stat", "--format=%b", file.toString()));
    }

    private VolumeDisks disks() {
        return new VolumeDisks(home.resolve("volumes"), home, 0);
    }
}
