package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What one of the unmodified packages keeps, the other goes on with. */
class CrosswiseIT {

    private final Crosswise packages = new Crosswise(SharedServer.apiKey());

    @Test
    @Tag("R3")
    @Tag("R12")
    @Tag("R60a")
    void loadsWithOnePackageWhatTheOtherSaved() throws Exception {
        packages.install();
        var saved = packages.javascript("save", "42");
        assertThat(packages.python("load", saved)).isEqualTo("42");
        var back = packages.python("save", "43");
        assertThat(packages.javascript("load", back)).isEqualTo("43");

        var client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        assertThat(client.deleteSnapshot(saved)).isTrue();
        assertThat(client.deleteSnapshot(back)).isTrue();
    }
}
