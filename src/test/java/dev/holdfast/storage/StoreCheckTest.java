package dev.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCheckTest {

    @Test
    void isDownAsLongAsTheStoreIsNotThereAndSaysWhy(@TempDir Path directory) throws Exception {
        var root = directory.resolve("store");
        var check = new StoreCheck();
        check.store = new DirectoryStore(root, Clock.systemUTC());
        assertThat(check.lack()).isEmpty();

        Files.move(root, directory.resolve("away"));
        assertThat(check.lack()).get().asString().contains("NoSuchFile");

        Files.move(directory.resolve("away"), root);
        assertThat(check.lack()).isEmpty();
        try (var left = Files.list(root.resolve(".incoming"))) {
            assertThat(left).isEmpty();
        }
    }
}
