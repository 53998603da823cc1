package dev.holdfast.restore;

import dev.holdfast.access.ProjectId;
import dev.holdfast.event.Event;
import dev.holdfast.event.Waits;
import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Origin.FromSnapshot;
import dev.holdfast.restore.Origin.FromTemplate;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxChoices;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxOrder;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Fingerprint;
import dev.holdfast.snapshot.PartsState;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.template.Template;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Opens sandboxes: fresh ones from a template, others from a snapshot. */
@Stateless
public class Restores {

    /** Long enough for a large image on a busy worker, shorter than clients wait. */
    private static final Duration PATIENCE = Duration.ofSeconds(280);

    private static final String SYSTEM_PREFIX = "fc.";

    @Inject References references;
    @Inject Sandboxes sandboxes;
    @Inject Workers workers;
    @Inject Waits waits;

    /**
     * Writes the sandbox down, takes its occupancy and hands it to a worker, or changes nothing.
     */
    public SandboxId open(ProjectId project, Optional<String> slug, Opening opening, String actor) {
        Origin origin = references.resolve(project, slug, opening.reference());
        SandboxId id = SandboxId.random();
        if (origin instanceof FromTemplate fresh) {
            // First, because a worker that lacks something says more than a template without image.
            Worker worker = workers.pick(w -> true);
            sandboxes.order(fresh(id, project, fresh.template(), opening, actor), worker.id());
        } else if (origin instanceof FromSnapshot from) {
            Snapshot snapshot = from.snapshot();
            sandboxes.order(
                    restored(id, project, snapshot, opening, actor), workerFor(snapshot).id());
        }
        return id;
    }

    /** The sandbox, once it runs or has failed to; fails with a timeout before that. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public CompletionStage<Sandbox> outcome(SandboxId id) {
        return waits.until(
                Event.sandbox(id),
                () ->
                        sandboxes
                                .find(id)
                                .filter(sandbox -> sandbox.state() != SandboxState.STARTING),
                PATIENCE);
    }

    private static SandboxOrder fresh(
            SandboxId id, ProjectId project, Template template, Opening opening, String actor) {
        String digest =
                template.digest()
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                Reason.NO_WORKER,
                                                "The image of template "
                                                        + template.name()
                                                        + " has not been published yet."));
        return new SandboxOrder(
                id,
                project,
                template.id(),
                digest,
                Optional.empty(),
                template.size(),
                opening.environment(),
                new SandboxChoices(
                        opening.lifetime(),
                        opening.secured(),
                        opening.internet().orElse(true),
                        opening.publicTraffic().orElse(true),
                        opening.metadata().orElse(Map.of())),
                actor);
    }

    private static SandboxOrder restored(
            SandboxId id, ProjectId project, Snapshot snapshot, Opening opening, String actor) {
        if (!opening.environment().isEmpty()) {
            throw forbidden("envVars", "Environment variables come from the snapshot");
        }
        Map<String, String> metadata = opening.metadata().orElse(snapshot.metadata());
        opening.metadata().stream()
                .flatMap(map -> map.keySet().stream())
                .filter(key -> key.startsWith(SYSTEM_PREFIX))
                .findFirst()
                .ifPresent(
                        key -> {
                            throw forbidden(
                                    "metadata." + key, "System metadata is not yours to set");
                        });
        return new SandboxOrder(
                id,
                project,
                snapshot.template(),
                snapshot.templateDigest(),
                Optional.of(snapshot.id().value()),
                snapshot.size(),
                snapshot.environment(),
                new SandboxChoices(
                        opening.lifetime(),
                        opening.secured(),
                        opening.internet().orElse(snapshot.hasInternet()),
                        opening.publicTraffic().orElse(snapshot.hasPublicTraffic()),
                        metadata),
                actor);
    }

    private static Problem forbidden(String field, String why) {
        return new Problem(
                        Reason.OVERRIDE_FORBIDDEN,
                        "\""
                                + field
                                + "\" cannot be set for a sandbox made from a snapshot. "
                                + why
                                + ".")
                .with("field", field);
    }

    private Worker workerFor(Snapshot snapshot) {
        if (snapshot.partsState() != PartsState.COMPLETE) {
            throw new Problem(
                    Reason.INCOMPATIBLE_RUNTIME,
                    "Snapshot " + snapshot.id() + " has missing or damaged parts.");
        }
        Fingerprint needed = snapshot.fingerprint().orElseThrow();
        if (workers.reachable().stream().filter(w -> w.missing().isEmpty()).findAny().isPresent()
                && workers.reachable().stream().noneMatch(w -> suits(w, needed))) {
            throw new Problem(
                            Reason.INCOMPATIBLE_RUNTIME,
                            "No worker runs what snapshot " + snapshot.id() + " was made with.")
                    .with("architecture", needed.architecture())
                    .with("platform", needed.platform())
                    .with("runtimeBuild", needed.runtimeBuild());
        }
        return workers.pick(worker -> suits(worker, needed));
    }

    /** A worker fetches the runtime build it needs, so only what cannot be fetched counts. */
    private static boolean suits(Worker worker, Fingerprint needed) {
        return worker.architecture().equals(needed.architecture())
                && worker.platform().equals(needed.platform())
                && new HashSet<>(worker.cpuFeatures()).containsAll(needed.cpuFeatures());
    }
}
