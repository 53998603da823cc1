package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies in the place of a share. */
class StandinsTest {

    @TempDir Path scratch;

    private Path image;
    private Path own;

    @BeforeEach
    void makesPlaces() throws IOException {
        image = Files.createDirectory(scratch.resolve("image"));
        own = Files.createDirectory(scratch.resolve("own"));
    }

    @Test
    void laysEmptyFilesAndDirectoriesOfTheShareThatIsMeant() throws IOException {
        keep("f /mnt/a /d%20e/held", "d /mnt/a /d%20e/deep", "f /mnt/b /other", "f /mnt/a /%C3%A9");
        Standins.lay(image, "/mnt/a", own);
        assertThat(own.resolve("d e/held")).isEmptyFile();
        assertThat(own.resolve("d e/deep")).isEmptyDirectory();
        assertThat(own.resolve("other")).doesNotExist();
        try (Stream<Path> names = Files.list(own)) {
            assertThat(names).as("a name is its bytes, whatever they say").hasSize(2);
        }
    }

    @Test
    void leavesTheDirectoryForNoName() throws IOException {
        keep(
                "f /mnt/a /../out",
                "f /mnt/a /%2e%2e/out",
                "f /mnt/a /x/%2E%2E/%2E%2E/out",
                "f /mnt/a out",
                "d /mnt/a x/out",
                "f /mnt/a /nul%00",
                "f /mnt/a /bad%zz",
                "f /mnt/a /a?b#c",
                "f /mnt/a",
                "  ",
                "f /mnt/a /d",
                "f /mnt/a /d/below");
        try {
            Standins.lay(image, "/mnt/a", own);
        } catch (IOException refused) {
            assertThat(own.resolve("d")).as("a file cannot be a directory too").exists();
        }
        try (Stream<Path> names = Files.list(scratch)) {
            assertThat(names).containsExactlyInAnyOrder(image, own);
        }
    }

    @Test
    void keepsNothingWhereNothingWasOpenAndNoMoreThanIsRead() throws IOException {
        keep();
        assertThat(image).isEmptyDirectory();
        TreeSet<String> many = new TreeSet<>();
        for (int i = 0; i < 10_000; i++) {
            many.add("f /mnt/a /" + "x".repeat(60) + i);
        }
        Standins.keep(many, image);
        assertThat(Files.size(image.resolve("shares"))).isLessThan(256 * 1024);
        Standins.lay(image, "/mnt/a", own);
        try (Stream<Path> names = Files.list(own)) {
            assertThat(names.count()).isBetween(1000L, 5000L);
        }
    }

    private void keep(String... lines) throws IOException {
        Standins.keep(new TreeSet<>(List.of(lines)), image);
    }
}
