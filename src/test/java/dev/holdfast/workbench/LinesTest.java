package dev.holdfast.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.PlayedExecutor;
import dev.holdfast.access.ProjectId;
import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ErrorCode;
import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.telemetry.Trail;
import dev.holdfast.workbench.Lines.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call that its session does not answer, and what its row says then. */
class LinesTest {

    private final Lines lines = new Lines();
    private final Line line =
            new Line(
                    lines,
                    new ProjectId(UUID.randomUUID()),
                    SandboxId.random(),
                    null,
                    Trail.empty());
    private final CompletableFuture<String> call = new CompletableFuture<>();
    private final List<Runnable> tasks = new ArrayList<>();
    private Executor threads = tasks::add;
    private Supplier<Sandbox> row = () -> in(SandboxState.RUNNING);

    @BeforeEach
    void make() {
        lines.sandboxes =
                new Sandboxes() {
                    @Override
                    public Sandbox getLive(ProjectId project, SandboxId id) {
                        return row.get();
                    }
                };
        lines.executor = PlayedExecutor.of(task -> threads.execute(task));
    }

    @Test
    void tellsOfTheEndOfASessionThatEndedMeanwhile() {
        row =
                () -> {
                    throw new Problem(Reason.SANDBOX_NOT_FOUND, "It was killed.");
                };
        assertThat(reason(ErrorCode.UNAVAILABLE)).isEqualTo(Reason.SANDBOX_NOT_FOUND);
    }

    @Test
    void tellsThatASessionIsPausedByNow() {
        row = () -> in(SandboxState.PAUSED);
        assertThat(reason(ErrorCode.UNAVAILABLE)).isEqualTo(Reason.SANDBOX_NOT_RUNNING);
    }

    @Test
    void hasOneAskAgainThatIsSilentForAnotherReason() {
        assertThat(reason(ErrorCode.UNAVAILABLE)).isEqualTo(Reason.TEMPORARILY_UNAVAILABLE);
    }

    @Test
    void hasOneAskAgainWhenTheRowCannotBeRead() {
        row =
                () -> {
                    throw new IllegalStateException("the database is away");
                };
        assertThat(reason(ErrorCode.UNAVAILABLE)).isEqualTo(Reason.TEMPORARILY_UNAVAILABLE);
    }

    @Test
    void hasOneAskAgainWhenNoThreadIsFree() {
        threads =
                task -> {
                    throw new RejectedExecutionException("full");
                };
        assertThat(reason(ErrorCode.UNAVAILABLE)).isEqualTo(Reason.TEMPORARILY_UNAVAILABLE);
    }

    /** It may come on a thread that must not wait. */
    @Test
    void asksTheRowOnAnotherThreadAndOnlyWhenNobodyAnswers() {
        row =
                () -> {
                    throw new AssertionError("asked");
                };
        var told = line.told(call.exceptionally(AgentProblems::of)).toCompletableFuture();
        assertThat(reason(ErrorCode.NOT_FOUND)).isEqualTo(Reason.CONTEXT_NOT_FOUND);
        assertThat(told).isCompletedExceptionally();

        var other = new CompletableFuture<String>();
        var waits = line.told(other.exceptionally(AgentProblems::of)).toCompletableFuture();
        other.completeExceptionally(new AgentException(ErrorCode.UNAVAILABLE, "closed"));
        assertThat(waits).isNotDone();
        assertThat(tasks).hasSize(1);
    }

    @Test
    void leavesAnAnswerAsItIs() {
        var told = line.told(call.exceptionally(AgentProblems::of)).toCompletableFuture();
        call.complete("answer");
        assertThat(told.join()).isEqualTo("answer");
    }

    private Reason reason(ErrorCode code) {
        var told = line.told(call.exceptionally(AgentProblems::of)).toCompletableFuture();
        call.completeExceptionally(new AgentException(code, "said"));
        tasks.forEach(Runnable::run);
        return told.handle((answer, failure) -> ((Problem) Waits.cause(failure)).reason()).join();
    }

    private static Sandbox in(SandboxState state) {
        return new Sandbox() {
            @Override
            public SandboxState state() {
                return state;
            }
        };
    }
}
