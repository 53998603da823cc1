package dev.holdfast.api;

import dev.holdfast.access.Actor;
import dev.holdfast.contents.ChangeRows;
import dev.holdfast.contents.Comparison;
import dev.holdfast.contents.Comparisons;
import dev.holdfast.event.Waits;
import dev.holdfast.operation.Preference;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Takes an order for a comparison and answers as its caller prefers. */
@ApplicationScoped
public class ComparisonAnswers {

    private static final Duration PATIENCE = Duration.ofSeconds(280);

    @Inject ChangeRows rows;
    @Inject Comparisons comparisons;
    @Inject Waits waits;

    CompletionStage<Response> answer(
            Actor actor,
            Optional<String> slug,
            String since,
            String reference,
            Preference preference) {
        Comparison ordered = comparisons.order(actor, slug, since, reference);
        if (!ordered.isUnderWay()) {
            return CompletableFuture.completedStage(preference.marked(ended(ordered), false));
        }
        return preference.answer(
                PATIENCE,
                patience -> outcome(ordered, patience),
                Reason.COMPARISON_IN_PROGRESS,
                this::ended,
                () -> answer(comparisons.find(ordered.id()).orElse(ordered), 202));
    }

    /** Fails with {@code comparison_in_progress} when it is not over in that time. */
    private CompletionStage<Comparison> outcome(Comparison ordered, Duration patience) {
        return waits.until(Comparison.subject(ordered.id()), () -> settled(ordered.id()), patience)
                .handle(
                        (found, failure) -> {
                            if (failure != null) {
                                throw unsettled(ordered, failure);
                            }
                            return found.orElseThrow(() -> gone(ordered));
                        });
    }

    ComparisonView view(Comparison comparison) {
        return ComparisonView.of(comparison, rows.summary(comparison));
    }

    /** Present once there is nothing to wait for: inside it is what became of it. */
    private Optional<Optional<Comparison>> settled(UUID id) {
        Optional<Comparison> row = comparisons.find(id);
        return row.filter(Comparison::isUnderWay).isPresent() ? Optional.empty() : Optional.of(row);
    }

    private static Problem gone(Comparison ordered) {
        return new Problem(
                Reason.COMPARISON_NOT_FOUND,
                "Comparison "
                        + ordered.id()
                        + " was forgotten, or one of its snapshots was removed. Ask for it again.");
    }

    private static RuntimeException unsettled(Comparison ordered, Throwable failure) {
        return Waits.ranOut(failure)
                ? new Problem(
                                Reason.COMPARISON_IN_PROGRESS,
                                "The comparison goes on. Look at its address, or ask for it again.")
                        .with("comparison", address(ordered))
                : new CompletionException(Waits.cause(failure));
    }

    private Response.ResponseBuilder ended(Comparison found) {
        return switch (found.state()) {
            case FAILED ->
                    throw new Problem(
                            Reason.COMPARISON_FAILED,
                            "The snapshots could not be compared: "
                                    + found.failure().orElse("it is not known why"));
            case CANCELLED ->
                    throw new Problem(
                            Reason.COMPARISON_CANCELLED,
                            "Somebody ended the comparison. Ask for it again.");
            default -> answer(found, 200);
        };
    }

    private Response.ResponseBuilder answer(Comparison comparison, int status) {
        return Response.status(status)
                .entity(view(comparison))
                .header(HttpHeaders.LOCATION, address(comparison));
    }

    private static String address(Comparison comparison) {
        return "/api/v1/projects/"
                + comparison.project()
                + "/snapshots/"
                + comparison.other()
                + "/comparisons/"
                + comparison.id();
    }
}
