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
        Duration patience = preference.patience(PATIENCE);
        if (!ordered.isUnderWay()) {
            return CompletableFuture.completedStage(ended(ordered, preference));
        }
        if (patience.isZero() && preference.async()) {
            return CompletableFuture.completedStage(answer(ordered, 202, preference));
        }
        return waits.until(Comparison.subject(ordered.id()), () -> settled(ordered.id()), patience)
                .handle(
                        (found, failure) ->
                                failure == null
                                        ? ended(found.orElseThrow(() -> gone(ordered)), preference)
                                        : late(ordered, preference, failure));
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

    private Response late(Comparison ordered, Preference preference, Throwable failure) {
        if (!Waits.ranOut(failure)) {
            throw new CompletionException(Waits.cause(failure));
        }
        if (preference.async()) {
            return answer(comparisons.find(ordered.id()).orElse(ordered), 202, preference);
        }
        throw new Problem(
                        Reason.COMPARISON_IN_PROGRESS,
                        "The comparison goes on. Look at its address, or ask for it again.")
                .with("comparison", address(ordered));
    }

    private Response ended(Comparison found, Preference preference) {
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
            default -> answer(found, 200, preference);
        };
    }

    private Response answer(Comparison comparison, int status, Preference preference) {
        Response.ResponseBuilder answer =
                Response.status(status)
                        .entity(view(comparison))
                        .header(HttpHeaders.LOCATION, address(comparison));
        preference
                .applied(status == 202)
                .ifPresent(applied -> answer.header(Preference.APPLIED, applied));
        return answer.build();
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
