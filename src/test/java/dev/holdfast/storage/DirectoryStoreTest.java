package dev.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryStoreTest extends ObjectStoreContract {

    @TempDir Path temporary;

    private Path root;
    private DirectoryStore store;
    private Duration passed = Duration.ZERO;

    @BeforeEach
    void open() throws IOException {
        root = temporary.resolve("home/store");
        store = new DirectoryStore(root, Clock.systemUTC());
    }

    @Override
    ObjectStore store() {
        return store;
    }

    @Override
    void passTime(Duration time) {
        passed = passed.plus(time);
        try {
            store = new DirectoryStore(root, Clock.offset(Clock.systemUTC(), passed));
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void keepsEverythingForTheServiceAlone() throws IOException {
        put(KEY, "secret");
        ObjectStore.Upload upload = store.begin(new ObjectKey("another/object"));

        try (Stream<Path> all = Files.walk(root)) {
            assertThat(all.toList())
                    .hasSizeGreaterThan(4)
                    .allSatisfy(
                            path ->
                                    assertThat(
                                                    PosixFilePermissions.toString(
                                                            Files.getPosixFilePermissions(path)))
                                            .isEqualTo(
                                                    Files.isDirectory(path)
                                                            ? "rwx------"
                                                            : "rw-------"));
        }
        upload.close();
    }

    @Test
    void takesTheModeOfOthersAwayFromARootThatWasThere() throws IOException {
        Path open = Files.createDirectories(temporary.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));

        new DirectoryStore(open, Clock.systemUTC());

        assertThat(Files.getPosixFilePermissions(open)).isEqualTo(Disk.PRIVATE_DIRECTORY);
    }

    @Test
    void removesEmptiedParentsButNotTheRoot() throws IOException {
        put(KEY, "memory");
        store.delete(KEY);

        assertThat(root.resolve("snapshots")).doesNotExist();
        assertThat(root).exists();
    }

    @Test
    void findsItsObjectsAgainAfterARestart() throws IOException {
        put(KEY, "memory");
        passTime(Duration.ZERO);

        assertThat(content(KEY)).contains("memory");
    }

    @Test
    void ignoresFilesThatAreNotItsOwn() throws IOException {
        Files.writeString(root.resolve("README"), "not a key");
        Files.createDirectories(root.resolve("lost+found"));

        assertThat(list("")).isEmpty();
    }

    @Test
    void refusesAKeyBelowAnotherObject() throws IOException {
        put(new ObjectKey("a"), "object");

        assertThatThrownBy(() -> put(new ObjectKey("a/b"), "below it"))
                .isInstanceOf(ObjectConflictException.class);
        put(new ObjectKey("c/d"), "object");
        assertThatThrownBy(() -> put(new ObjectKey("c"), "above it"))
                .isInstanceOf(ObjectConflictException.class);
    }

    @Test
    void leavesNoNameOfAnUploadThatItsProcessDidNotLiveToCommit() throws Exception {
        Process writer =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                EndlessUpload.class.getName(),
                                root.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        assertThat(writer.getInputStream().read()).isEqualTo('w');
        writer.destroyForcibly().waitFor();

        passTime(Duration.ofHours(2));
        assertThat(list("")).isEmpty();
        assertThat(store.removeLeftovers(Duration.ofHours(1))).isEqualTo(1);
        assertThat(namesIn(root.resolve(".incoming"))).isEmpty();
    }

    private static List<Path> namesIn(Path directory) throws IOException {
        try (Stream<Path> names = Files.list(directory)) {
            return names.toList();
        }
    }

    /** Writes until it is killed. */
    static final class EndlessUpload {
        public static void main(String[] arguments) throws Exception {
            DirectoryStore store = new DirectoryStore(Path.of(arguments[0]), Clock.systemUTC());
            ObjectStore.Upload upload = store.begin(KEY);
            upload.body().write(new byte[1 << 20]);
            System.out.write('w');
            System.out.flush();
            Thread.sleep(Duration.ofMinutes(1).toMillis());
        }
    }
}
