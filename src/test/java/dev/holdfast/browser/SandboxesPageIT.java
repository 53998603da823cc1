package dev.holdfast.browser;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.run.SharedServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code sandboxes.test.mjs}: the Sandboxes page in a real Chromium, with real sandboxes. */
class SandboxesPageIT {

    private final Tenant real = new Tenant("Underwriting");
    private E2bClient client;

    @BeforeEach
    void begins() {
        client = new E2bClient(SharedServer.api(), real.manager());
    }

    @AfterEach
    void leavesNothing() {
        real.clear();
    }

    @Test
    @Tag("R1")
    @Tag("R7")
    @Tag("R8")
    @Tag("R9")
    @Tag("R10")
    @Tag("R11")
    @Tag("R61")
    @Tag("R62")
    @Tag("R94")
    @Tag("R100")
    @Tag("R102")
    @Tag("R165")
    void peopleFindCapturePauseResumeAndKillSandboxes() throws Exception {
        String plain = client.create("base", Duration.ofMinutes(15)).id();
        String named =
                client.create("base", Duration.ofMinutes(45), Map.of("name", "Nightly import"))
                        .id();
        Pages.run(
                "sandboxes.test.mjs",
                Map.of(
                        "real",
                        real.told(
                                Map.of(
                                        "plain",
                                        plain,
                                        "named",
                                        named,
                                        "user",
                                        real.key("a user", "sandboxes:use"),
                                        "reader",
                                        real.key("a reader", "snapshots:read")))));
    }
}
