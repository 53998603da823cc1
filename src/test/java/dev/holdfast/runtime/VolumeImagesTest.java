package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeImagesTest {

    @TempDir Path home;

    @Test
    void whatCannotBeFormattedKeepsNothingOfTheDisk() {
        Path directory = home.resolve("volumes");
        var images = new VolumeImages(directory, 0);
        assertThatThrownBy(() -> images.make(UUID.randomUUID(), 4096))
                .isInstanceOf(MachineFailure.class)
                .hasMessageContaining("mkfs.ext4");
        assertThat(directory).isEmptyDirectory();
    }
}
