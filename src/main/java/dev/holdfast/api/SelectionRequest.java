package dev.holdfast.api;

import dev.holdfast.access.Slug;
import dev.holdfast.inventory.Restorability;
import dev.holdfast.inventory.Search;
import dev.holdfast.inventory.Selection;
import dev.holdfast.inventory.Status;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.SnapshotName.Written;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Which snapshots somebody means, by the words of the list. What is absent or empty excludes none.
 *
 * @param templateId a template's ID or its name
 * @param name {@code [slug/]short[:tag]}
 * @param expiringWithin seconds from now
 */
@Schema(name = "SnapshotFilter")
public record SelectionRequest(
        @Schema(
                        enumeration = {"saved", "uploads", "awaitingCleanup", "trashed", "all"},
                        defaultValue = "saved")
                String status,
        @Schema(minLength = Search.LEAST, description = "Part of an ID, an upload ID or a name")
                String search,
        String sourceSandboxId,
        String templateId,
        String createdBy,
        Boolean restorable,
        @Schema(
                        enumeration = {
                            "restorable",
                            "restore_failed",
                            "expired",
                            "not_saved",
                            "missing_part",
                            "corrupt_part",
                            "incompatible_runtime",
                            "volume_deleted",
                            "volume_elsewhere",
                            "no_worker"
                        })
                String verdict,
        String name,
        String tag,
        Map<String, String> labels,
        @Schema(minimum = "1") Long expiringWithin) {

    private static final long LONGEST_SECONDS = 100L * 365 * 24 * 3600;

    /**
     * @param template the ID that a template's name stands for, or the text as it is
     */
    Selection selection(Optional<Slug> slug, UnaryOperator<String> template) {
        Optional<Written> written =
                given(name).map(text -> SnapshotName.parse(text, Reason.MALFORMED_NAME));
        written.ifPresent(each -> each.requireOwn(slug));
        return new Selection(
                statusAsked(),
                given(search).map(Search::new),
                Set.of(),
                given(sourceSandboxId).map(SelectionRequest::sandbox),
                given(templateId).map(template),
                given(createdBy),
                verdicts(),
                written.map(Written::shortName),
                written.flatMap(Written::tag).or(() -> given(tag)),
                labels == null ? Map.of() : labels,
                Optional.ofNullable(expiringWithin).map(SelectionRequest::seconds),
                Optional.empty(),
                false);
    }

    private Status statusAsked() {
        return given(status)
                .map(
                        word ->
                                Status.of(word)
                                        .orElseThrow(
                                                () ->
                                                        Problem.invalid(
                                                                "status",
                                                                "\"status\" is saved, uploads,"
                                                                        + " awaitingCleanup or all.")))
                .orElse(Status.SAVED);
    }

    private Set<Restorability> verdicts() {
        Optional<Restorability> asked =
                given(verdict)
                        .map(
                                word ->
                                        Restorability.of(word)
                                                .orElseThrow(
                                                        () ->
                                                                Problem.invalid(
                                                                        "verdict",
                                                                        "\"verdict\" is one of "
                                                                                + Restorability
                                                                                        .words()
                                                                                + ".")));
        if (asked.isPresent() && restorable != null) {
            throw Problem.invalid("verdict", "Give either \"verdict\" or \"restorable\".");
        }
        return asked.map(Set::of)
                .orElseGet(
                        () ->
                                restorable == null
                                        ? Set.of()
                                        : restorable ? Restorability.YES : Restorability.NO);
    }

    private static SandboxId sandbox(String text) {
        if (!SandboxId.isWellFormed(text)) {
            throw Problem.invalid("sourceSandboxId", "A sandbox ID is made of [a-z0-9].");
        }
        return new SandboxId(text);
    }

    private static Duration seconds(long seconds) {
        if (seconds < 1 || seconds > LONGEST_SECONDS) {
            throw Problem.invalid(
                    "expiringWithin", "\"expiringWithin\" is a positive number of seconds.");
        }
        return Duration.ofSeconds(seconds);
    }

    private static Optional<String> given(String text) {
        return Optional.ofNullable(text).filter(each -> !each.isEmpty());
    }
}
