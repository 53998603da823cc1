package dev.holdfast.browser;

import dev.holdfast.e2b.Crosswise;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code crosswise.test.mjs}: people in the Workbench and programs on the unmodified packages go on
 * with what the others saved in the same project.
 */
class CrosswiseIT {

    private final Tenant team = new Tenant("Claims");
    private final Crosswise packages = new Crosswise(team.manager());

    @AfterEach
    void leavesNothing() {
        team.clear();
    }

    @Test
    @Tag("R1")
    @Tag("R3")
    @Tag("R11")
    @Tag("R12")
    @Tag("R60a")
    void peopleAndProgramsGoOnWithWhatTheOthersSaved() throws Exception {
        packages.install();
        Pages.run(
                "crosswise.test.mjs",
                Map.of("team", team.told(Map.of()), "packages", packages.told()));
    }
}
