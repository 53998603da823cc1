package dev.holdfast.restore;

import dev.holdfast.access.Actor;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.event.Event;
import dev.holdfast.event.Waits;
import dev.holdfast.fleet.Vacancies;
import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Origin.FromSnapshot;
import dev.holdfast.restore.Origin.FromTemplate;
import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.NetworkPolicy;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxChoices;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxOrder;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.Verdict;
import dev.holdfast.snapshot.Verdicts;
import dev.holdfast.template.Generations;
import dev.holdfast.template.Template;
import dev.holdfast.volume.Bindings;
import dev.holdfast.volume.Mount;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/** Opens sandboxes: fresh ones from a template, others from a snapshot. */
@Stateless
public class Restores {

    /** Long enough for a large image on a busy worker, shorter than clients wait. */
    private static final Duration PATIENCE = Duration.ofSeconds(280);

    /** The generation whose sandboxes can be saved, so also that of everything saved. */
    private static final int SAVED = 2;

    private static final String SYSTEM_PREFIX = "fc.";

    @Inject Generations generations;
    @Inject Projects projects;
    @Inject References references;
    @Inject Places places;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;
    @Inject Verdicts verdicts;
    @Inject Bindings bindings;
    @Inject Vacancies vacancies;
    @Inject Waits waits;
    @Inject Workers workers;

    /**
     * Writes the sandbox down, takes its occupancy and hands it to a worker, or changes nothing.
     *
     * @throws Problem {@code permission_missing} for a snapshot that the caller may not read
     */
    public SandboxId open(Actor asker, Optional<String> slug, Opening opening) {
        ProjectId project = asker.project();
        projects.lock(project);
        Optional<SandboxId> before =
                opening.idempotency().flatMap(order -> sandboxes.ordered(project, order));
        if (before.isPresent()) {
            return before.get();
        }
        requireRoom(project);
        String actor = asker.principal().text();
        Origin origin = references.resolve(project, slug, opening.reference());
        SandboxId id = opening.chosen().orElseGet(SandboxId::random);
        if (origin instanceof FromTemplate fresh) {
            int generation = fresh.template().generation();
            generations.require(generation);
            requireKept(generation, opening.lifecycle().orElse(Lifecycle.ENDS));
            List<Mount> mounts = mounts(project, generation, opening);
            Optional<String> home = bindings.home(mounts);
            // First, because a worker that lacks something says more than a template without image.
            Worker worker =
                    vacancies.take(
                            each ->
                                    each.runs(generation)
                                            && home.filter(own -> !own.equals(each.id())).isEmpty(),
                            Optional.empty());
            sandboxes.order(
                    fresh(id, project, fresh.template(), opening, mounts, actor), worker.id());
        } else if (origin instanceof FromSnapshot from) {
            asker.require(Permission.SNAPSHOTS_READ);
            Snapshot snapshot = from.snapshot();
            SandboxOrder order = restored(id, project, snapshot, opening, actor);
            String worker = places.of(snapshot).id();
            bindings.keep(project, snapshot.mounts());
            sandboxes.order(order, worker);
        }
        return id;
    }

    /**
     * Whether a restore would be taken; nothing is changed.
     *
     * @throws Problem for what it may not say otherwise than its snapshot
     */
    public Verdict judge(Actor asker, Optional<String> slug, Opening opening) {
        asker.require(Permission.SNAPSHOTS_READ);
        Snapshot snapshot = references.snapshot(asker.project(), slug, opening.reference());
        restored(SandboxId.random(), asker.project(), snapshot, opening, asker.principal().text());
        return verdicts.of(snapshot);
    }

    /**
     * Writes down one more sandbox like the one a passing capture was made of, and hands it to a
     * worker. It occupies nothing: the capture is only kept until its forks have started.
     */
    public SandboxId fork(Actor asker, SnapshotId state, Duration lifetime) {
        ProjectId project = asker.project();
        requireRoom(project);
        Snapshot captured =
                snapshots
                        .lock(project, state)
                        .filter(each -> each.state() == SnapshotState.SAVED)
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                Reason.START_FAILED,
                                                "What was captured for the fork is gone. Fork"
                                                        + " again."));
        SandboxId id = SandboxId.random();
        String worker = places.of(captured).id();
        bindings.keep(project, captured.mounts());
        sandboxes.order(forked(id, captured, lifetime, asker.principal().text()), worker);
        return id;
    }

    /** The sandbox, once it runs or has failed to; one that takes too long is ended. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public CompletionStage<Sandbox> outcome(SandboxId id) {
        return waits.until(Event.sandbox(id), () -> settled(id), PATIENCE)
                .exceptionallyCompose(failure -> late(id, failure));
    }

    /** Under the project's lock, so that a burst is admitted exactly as far as there is room. */
    private void requireRoom(ProjectId project) {
        int limit = projects.lock(project).limit().liveSandboxes();
        long used = sandboxes.countLive(project);
        if (used >= limit) {
            throw new Problem(
                            Reason.QUOTA_COUNT_EXCEEDED,
                            "This project may have "
                                    + limit
                                    + " sandboxes at once and has "
                                    + used
                                    + ". Kill some, or have the limit raised.")
                    .with("limit", limit)
                    .with("used", used)
                    .with("needed", 1);
        }
    }

    /**
     * @throws Problem {@code worker_unreachable} when nobody hears of the worker that it starts on
     */
    private Optional<Sandbox> settled(SandboxId id) {
        Optional<Sandbox> found = sandboxes.find(id);
        Optional<Sandbox> starting =
                found.filter(sandbox -> sandbox.state() == SandboxState.STARTING);
        starting.ifPresent(sandbox -> workers.requireHeard(sandbox.worker()));
        return starting.isPresent() ? Optional.empty() : found;
    }

    /** Nobody would know of a sandbox that starts after its caller was told that it did not. */
    private CompletionStage<Sandbox> late(SandboxId id, Throwable failure) {
        if (failure instanceof TimeoutException) {
            sandboxes.giveUp(id, "it did not start in time");
            return CompletableFuture.completedStage(sandboxes.find(id).orElseThrow());
        }
        boolean unheard =
                failure instanceof Problem problem && problem.reason() == Reason.WORKER_UNREACHABLE;
        return unheard && !sandboxes.giveUp(id, "its worker cannot be reached")
                ? CompletableFuture.completedStage(sandboxes.find(id).orElseThrow())
                : CompletableFuture.failedStage(failure);
    }

    /** What it could never do is refused now and not when its lifetime is over. */
    private static void requireKept(int generation, Lifecycle lifecycle) {
        if (generation < SAVED && (lifecycle.onTimeout().pauses() || lifecycle.autoResume())) {
            throw new Problem(
                    Reason.GENERATION_UNSUPPORTED,
                    "A sandbox of generation "
                            + generation
                            + " can be neither paused nor resumed. Leave autoPause, autoResume and"
                            + " a lifecycle that pauses out, or use a template of generation 2.");
        }
    }

    /** What the host's own kernel runs would see the files of others under other numbers. */
    private List<Mount> mounts(ProjectId project, int generation, Opening opening) {
        if (generation < SAVED && !opening.mounting().isEmpty()) {
            throw new Problem(
                    Reason.GENERATION_UNSUPPORTED,
                    "Volumes are mounted into sandboxes of generation 2 only. Leave volumeMounts"
                            + " out, or use a template of generation 2.");
        }
        return bindings.mounts(project, opening.mounting());
    }

    private static SandboxOrder fresh(
            SandboxId id,
            ProjectId project,
            Template template,
            Opening opening,
            List<Mount> mounts,
            String actor) {
        String digest =
                template.digest()
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                Reason.NO_WORKER,
                                                "The image of template "
                                                        + template.name()
                                                        + " has not been published yet. Prepare a"
                                                        + " worker's host and start it again."));
        return new SandboxOrder(
                id,
                project,
                template.id(),
                digest,
                template.generation(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                template.size(),
                mounts,
                over(template.environment(), opening.environment()),
                new SandboxChoices(
                        opening.lifetime(),
                        opening.secured().orElse(true),
                        opening.network().onto(NetworkPolicy.DEFAULT),
                        opening.lifecycle(Lifecycle.ENDS),
                        opening.metadata().orElse(Map.of())),
                opening.idempotency(),
                actor);
    }

    private static Map<String, String> over(Map<String, String> preset, Map<String, String> asked) {
        Map<String, String> both = new LinkedHashMap<>(preset);
        both.putAll(asked);
        return both;
    }

    private static SandboxOrder restored(
            SandboxId id, ProjectId project, Snapshot snapshot, Opening opening, String actor) {
        if (!opening.environment().isEmpty()) {
            throw forbidden("envVars", "Environment variables come from the snapshot");
        }
        if (!opening.mounting().isEmpty()) {
            throw forbidden("volumeMounts", "What was mounted comes from the snapshot");
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
                SAVED,
                Optional.of(snapshot.id().value()),
                Optional.of(snapshot.id().value()),
                Optional.empty(),
                !snapshot.hasMemory(),
                snapshot.size(),
                snapshot.mounts(),
                snapshot.environment(),
                new SandboxChoices(
                        opening.lifetime(),
                        opening.secured().orElse(snapshot.isSecured()),
                        opening.network().onto(snapshot.network()),
                        opening.lifecycle(snapshot.lifecycle()),
                        metadata),
                opening.idempotency(),
                actor);
    }

    private static SandboxOrder forked(
            SandboxId id, Snapshot state, Duration lifetime, String actor) {
        return new SandboxOrder(
                id,
                state.project(),
                state.template(),
                state.templateDigest(),
                SAVED,
                Optional.empty(),
                state.parent().map(SnapshotId::value),
                Optional.of(state.id().value()),
                false,
                state.size(),
                state.mounts(),
                state.environment(),
                new SandboxChoices(
                        lifetime,
                        state.isSecured(),
                        state.network(),
                        state.lifecycle(),
                        state.metadata()),
                Optional.empty(),
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
}
