package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices over files, whose names another container may give to files of its own. */
class MountsIT {

    @TempDir Path directory;

    private Path image;
    private String device;

    /** A device that somebody else has over another file, who calls it as we call ours. */
    @BeforeEach
    void attachesForeignOne() throws IOException {
        Path ours = Files.createDirectory(directory.resolve("home"));
        image = ours.resolve("disk.img");
        Files.write(image, new byte[1 << 20]);
        device =
                Command.must(
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        "mount -t tmpfs none /mnt && mkdir -p \"/mnt$1\""
                                + " && cp \"$1/disk.img\" \"/mnt$1/\""
                                + " && losetup --find --show \"/mnt$1/disk.img\"",
                        "sh",
                        ours.toString());
    }

    @AfterEach
    void detaches() {
        Command.run("losetup", "--detach", device);
    }

    @Test
    void anothersDeviceIsNotOurs() throws IOException {
        assertThat(backing()).as("the name is the same").isEqualTo(image.toString());

        assertThat(Mounts.deviceOf(image)).isEmpty();
    }

    @Test
    void anothersDeviceStaysWhenOursAreDetached() throws IOException {
        String own = Command.must("losetup", "--find", "--show", image.toString());
        assertThat(Mounts.deviceOf(image)).contains(own);

        Mounts.detachUnder(image.getParent());

        assertThat(Mounts.deviceOf(image)).isEmpty();
        assertThat(backing()).isEqualTo(image.toString());
    }

    private String backing() throws IOException {
        return Files.readString(Path.of("/sys/block", device.substring(5), "loop/backing_file"))
                .strip();
    }
}
