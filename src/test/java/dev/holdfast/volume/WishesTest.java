package dev.holdfast.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, paths, and what is mounted together. */
class WishesTest {

    @ParameterizedTest
    @ValueSource(strings = {"/mnt/data", "/data", "/home/user/files", "/tmp/x", "/a.b/c_d-e@1+2"})
    void takesAPathThatIsClean(String path) {
        assertThat(new MountPath(path).value()).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "data",
                "/mnt/",
                "//mnt",
                "/mnt//x",
                "/mnt/./x",
                "/mnt/../etc",
                "/..",
                "/mnt/a b",
                "/mnt/a,b",
                "/mnt/\u00fc",
                "/mnt/a\n",
                "/proc",
                "/proc/x",
                "/sys/x",
                "/dev/shm",
                "/etc",
                "/usr/lib/holdfast",
                "/bin",
                "/lib64/x",
                "/run/x",
                "/home",
                "/home/user",
                "/root",
                "/tmp",
                "/var/lib"
            })
    void refusesAPathOfTheSystemOrOneThatCouldMeanAnother(String path) {
        assertRefused(() -> new MountPath(path));
    }

    @Test
    void refusesALongPath() {
        assertRefused(() -> new MountPath("/" + "a/".repeat(100) + "b"));
    }

    @Test
    void refusesMountsThatHideEachOtherOrShowOneVolumeTwice() {
        assertThat(wishes("a", "/mnt/a", "b", "/mnt/ab").all()).hasSize(2);
        assertRefused(() -> wishes("a", "/mnt/a", "b", "/mnt/a"));
        assertRefused(() -> wishes("a", "/mnt/a", "b", "/mnt/a/b"));
        assertRefused(() -> wishes("a", "/mnt/a/b", "b", "/mnt/a"));
        assertRefused(() -> wishes("a", "/mnt/a", "a", "/mnt/b"));
        assertRefused(
                () ->
                        new Wishes(
                                IntStream.rangeClosed(0, Wishes.MOST)
                                        .mapToObj(i -> new Wish("v" + i, new MountPath("/m" + i)))
                                        .toList()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "Data_1-x", " padded "})
    void takesANameOfItsLetters(String name) {
        assertThat(VolumeName.of(name).value()).isEqualTo(name.strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-a",
                "_a",
                "a/b",
                "a.b",
                "a b",
                "\u00fc",
                "0b9ad7ce-5a7e-4b1f-8e0c-6c2f1f6f2a10"
            })
    void refusesANameThatCouldBeAPathOrAnId(String name) {
        assertThatThrownBy(() -> VolumeName.of(name))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.reason()).isEqualTo(Reason.MALFORMED_NAME));
    }

    @Test
    void mountsAreReadAsTheyWereWritten() {
        MountsConverter converter = new MountsConverter();
        List<Mount> mounts =
                List.of(new Mount(new VolumeId(UUID.randomUUID()), "a", new MountPath("/mnt/a")));
        assertThat(converter.convertToEntityAttribute(converter.convertToDatabaseColumn(mounts)))
                .isEqualTo(mounts);
        assertThat(converter.convertToDatabaseColumn(List.of())).isEqualTo("[]");
        assertThat(converter.convertToEntityAttribute("[]")).isEmpty();
    }

    @Test
    void aLimitIsWholePages() {
        assertThat(new VolumeTerms(VolumeTerms.LEAST + 1, java.util.Optional.empty()).limit())
                .isEqualTo(VolumeTerms.LEAST + 4096);
    }

    private static Wishes wishes(String one, String at, String two, String where) {
        return new Wishes(
                List.of(new Wish(one, new MountPath(at)), new Wish(two, new MountPath(where))));
    }

    private static void assertRefused(Runnable made) {
        assertThatThrownBy(made::run)
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem ->
                                assertThat(problem.reason()).isEqualTo(Reason.INVALID_PARAMETER));
    }
}
