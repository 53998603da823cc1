package dev.holdfast.workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SessionTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final UUID ONE = UUID.randomUUID();
    private static final UUID OTHER = UUID.randomUUID();

    private final Session session =
            new Session(
                    new ProjectId(UUID.randomUUID()),
                    SandboxId.random(),
                    Optional.of("standard"),
                    "key:1",
                    NOW);

    @Test
    void isOpenInOneTabUntilThatIsSilent() {
        session.hold(ONE, "key:1", false, NOW);
        session.hold(ONE, "key:1", false, NOW.plusSeconds(20));

        assertThatThrownBy(() -> session.hold(OTHER, "key:2", false, NOW.plusSeconds(40)))
                .isInstanceOfSatisfying(
                        Problem.class,
                        refused -> {
                            assertThat(refused.reason()).isEqualTo(Reason.SESSION_ELSEWHERE);
                            assertThat(refused.members()).containsEntry("heldBy", "key:1");
                        });

        session.hold(OTHER, "key:2", false, NOW.plusSeconds(51));
        assertThat(session.heldBy(NOW.plusSeconds(52))).contains("key:2");
        assertThat(session.heldBy(NOW.plusSeconds(99))).isEmpty();
    }

    @Test
    void isTakenOverByWhoSaysSoAndReleasedOnlyByWhoHasIt() {
        session.hold(ONE, "key:1", false, NOW);
        session.hold(OTHER, "key:2", true, NOW);

        session.release(ONE);
        assertThat(session.heldBy(NOW)).contains("key:2");
        session.release(OTHER);
        assertThat(session.heldBy(NOW)).isEmpty();
    }
}
