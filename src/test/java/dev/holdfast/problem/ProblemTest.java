package dev.holdfast.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.ejb.ApplicationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProblemTest {
    private final Problem plain = new Problem(Reason.SANDBOX_BUSY, "It is being captured.");

    @Test
    void carriesMembersWithoutChangingTheOriginal() {
        var more = plain.with("uploadId", "u1").with("since", 3);

        assertThat(more.members()).containsEntry("uploadId", "u1").containsEntry("since", 3);
        assertThat(more.reason()).isEqualTo(Reason.SANDBOX_BUSY);
        assertThat(more).hasMessage("It is being captured.");
        assertThat(plain.members()).isEmpty();
    }

    @Test
    void refusesMembersThatEveryAnswerHas() {
        for (var taken : new String[] {"code", "message", "reason", "status", "requestId"}) {
            assertThatThrownBy(() -> plain.with(taken, "x"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void keepsTheWaitWhenAMemberIsAdded() {
        var waiting = plain.retryAfter(Duration.ofSeconds(2)).with("a", 1);

        assertThat(waiting.retryAfter()).contains(Duration.ofSeconds(2));
        assertThat(plain.retryAfter()).isEmpty();
    }

    @Test
    void keepsTheCauseAndThePlaceItWasThrown() {
        var cause = new IllegalStateException("inner");
        var problem = new Problem(Reason.INTERNAL_ERROR, "x", cause);

        assertThat(problem.with("a", 1)).hasCause(cause);
        assertThat(problem.with("a", 1).getStackTrace()).isEqualTo(problem.getStackTrace());
    }

    @Test
    void rollsBackTheTransactionItPassesThrough() {
        assertThat(Problem.class.getAnnotation(ApplicationException.class).rollback()).isTrue();
    }

    @Test
    void roundsAWaitUpToWholeSeconds() {
        assertThat(Answer.seconds(Duration.ofMillis(1))).isEqualTo(1);
        assertThat(Answer.seconds(Duration.ofSeconds(2))).isEqualTo(2);
        assertThat(Answer.seconds(Duration.ZERO)).isZero();
    }
}
