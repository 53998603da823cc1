package dev.holdfast.browser;

import dev.holdfast.e2b.Npm;
import dev.holdfast.e2b.Sdk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code reading.test.mjs}: how the Workbench reads what sandboxes write, without a browser. */
class ReadingIT {

    private static final Path PLACE = Path.of("target/reading");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Test
    void readsTheWorstTextsInATimeInProportionToTheirLength() throws Exception {
        Sdk.copy(Path.of("src/test/browser"), PLACE);
        Npm.run(
                PLACE,
                PATIENCE,
                Map.of(
                        "HOLDFAST_CONSOLE",
                        Path.of("src/main/webapp/console").toAbsolutePath().toString()),
                "node",
                "--test",
                "reading.test.mjs");
    }
}
