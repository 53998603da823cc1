package dev.holdfast.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.access.Actor;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Principal;
import dev.holdfast.access.ProjectId;
import dev.holdfast.event.Event;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.quota.Drift;
import dev.holdfast.quota.Drifts;
import dev.holdfast.quota.Quotas;
import dev.holdfast.restore.Opening;
import dev.holdfast.restore.Restores;
import dev.holdfast.run.BuiltWar;
import dev.holdfast.sandbox.NetworkOverride;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.Operation;
import dev.holdfast.snapshot.Operations;
import dev.holdfast.snapshot.Phase;
import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.volume.Wishes;
import jakarta.ejb.EJBException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a capture changes, it changes at once or not at all, whoever else is at it. */
@ExtendWith(ArquillianExtension.class)
class CaptureTransactionContainerIT {

    private static final Optional<SnapshotName> UNNAMED = Optional.empty();
    private static final Optional<SnapshotName> NAME =
            Optional.of(new SnapshotName("before", SnapshotName.DEFAULT_TAG));

    @Inject Captures captures;
    @Inject Crowd crowd;
    @Inject Drifts drifts;
    @Inject OneTransaction transaction;
    @Inject Operations operations;
    @Inject Quotas quotas;
    @Inject Removals removals;
    @Inject Restores restores;
    @Inject Sandboxes sandboxes;
    @Inject Scene scene;
    @Inject Snapshots snapshots;

    @Deployment
    static WebArchive war() {
        return BuiltWar.with(
                CaptureTransactionContainerIT.class,
                Crowd.class,
                OneTransaction.class,
                Scene.class);
    }

    @Test
    void writesRowReservationStateAndMessageTogether() throws Exception {
        ProjectId project = scene.project(10);
        SandboxId source = scene.running(project);

        UploadId upload = captures.accept(project, source, NAME, true, Scene.ACTOR);

        Snapshot snapshot = snapshots.find(upload).orElseThrow();
        assertThat(snapshot.state()).isEqualTo(SnapshotState.UPLOADING);
        assertThat(snapshot.phase()).isEqualTo(Phase.ACCEPTED);
        assertThat(snapshot.name()).isEqualTo(NAME);
        assertThat(scene.sandbox(source).state()).isEqualTo(SandboxState.SNAPSHOTTING);
        assertThat(scene.reservations(project)).isOne();
        assertThat(scene.messages(upload)).isOne();
    }

    @Test
    void leavesNothingWhenTheTransactionFailsLater() throws Exception {
        ProjectId project = scene.project(10);
        SandboxId source = scene.running(project);
        int messages = scene.messages();
        List<UploadId> accepted = new ArrayList<>();

        assertThatExceptionOfType(EJBException.class)
                .isThrownBy(
                        () ->
                                transaction.run(
                                        () -> {
                                            accepted.add(
                                                    captures.accept(
                                                            project,
                                                            source,
                                                            NAME,
                                                            true,
                                                            Scene.ACTOR));
                                            throw new IllegalStateException("later");
                                        }))
                .withRootCauseInstanceOf(IllegalStateException.class);

        assertThat(snapshots.find(accepted.get(0))).isEmpty();
        assertThat(scene.sandbox(source).state()).isEqualTo(SandboxState.RUNNING);
        assertThat(scene.reservations(project)).isZero();
        assertThat(scene.messages()).isEqualTo(messages);
        captures.accept(project, source, NAME, true, Scene.ACTOR);
    }

    @Test
    void leavesNothingWhenTheNameIsTaken() throws Exception {
        ProjectId project = scene.project(10);
        Snapshot holder = scene.saved(project, NAME, inAWeek());
        SandboxId source = scene.running(project);
        int messages = scene.messages();

        assertThatExceptionOfType(Problem.class)
                .isThrownBy(() -> captures.accept(project, source, NAME, true, Scene.ACTOR))
                .satisfies(p -> assertThat(p.reason()).isEqualTo(Reason.NAME_TAKEN));

        assertThat(scene.snapshotRows(project)).isOne();
        assertThat(snapshots.find(holder.id()).orElseThrow().name()).isEqualTo(NAME);
        assertThat(scene.sandbox(source).state()).isEqualTo(SandboxState.RUNNING);
        assertThat(scene.reservations(project)).isZero();
        assertThat(scene.messages()).isEqualTo(messages);
    }

    @Test
    void givesAnExpiredHoldersNameToTheNextCapture() throws Exception {
        ProjectId project = scene.project(10);
        Snapshot expired = scene.saved(project, NAME, Instant.now());

        snapshots.freeExpiredName(project, NAME.orElseThrow());
        UploadId upload = captures.accept(project, scene.running(project), NAME, true, Scene.ACTOR);

        assertThat(snapshots.find(upload).orElseThrow().name()).isEqualTo(NAME);
        assertThat(snapshots.find(expired.id()).flatMap(Snapshot::name)).isEmpty();
    }

    @Test
    void givesTheNameOfAnExpiredHolderAwayAlthoughItIsOccupied() throws Exception {
        ProjectId project = scene.project(10);
        Snapshot expired = scene.saved(project, NAME, Instant.now());
        scene.occupant(project, expired);

        snapshots.freeExpiredName(project, NAME.orElseThrow());
        UploadId upload = captures.accept(project, scene.running(project), NAME, true, Scene.ACTOR);

        assertThat(snapshots.find(upload).orElseThrow().name()).isEqualTo(NAME);
        Snapshot kept = snapshots.find(expired.id()).orElseThrow();
        assertThat(kept.name()).isEmpty();
        assertThat(kept.state()).isEqualTo(SnapshotState.SAVED);
    }

    @Test
    void leavesALivingHolderItsName() throws Exception {
        ProjectId project = scene.project(10);
        Snapshot living = scene.saved(project, NAME, inAWeek());

        snapshots.freeExpiredName(project, NAME.orElseThrow());

        assertThat(snapshots.find(living.id()).orElseThrow().name()).isEqualTo(NAME);
    }

    @Test
    @Tag("R97")
    void acceptsOneOfTwoCapturesOfASandboxAtOnce() throws Exception {
        ProjectId project = scene.project(rounds());
        for (int round = 1; round <= rounds(); round++) {
            SandboxId source = scene.running(project);
            int messages = scene.messages();
            Callable<UploadId> capture =
                    () -> captures.accept(project, source, UNNAMED, true, Scene.ACTOR);

            List<Object> outcomes = crowd.atOnce(List.of(capture, capture));

            assertThat(outcomes)
                    .containsOnlyOnce(Reason.SANDBOX_BUSY.name())
                    .hasAtLeastOneElementOfType(UploadId.class);
            assertThat(scene.reservations(project)).isEqualTo(round);
            assertThat(scene.snapshotRows(project)).isEqualTo(round);
            assertThat(scene.messages()).isEqualTo(messages + 1);
        }
    }

    @Test
    void givesANameToOneOfTwoCapturesAtOnce() throws Exception {
        for (int round = 1; round <= rounds(); round++) {
            ProjectId project = scene.project(10);
            SandboxId one = scene.running(project);
            SandboxId other = scene.running(project);

            List<Object> outcomes =
                    crowd.atOnce(
                            List.of(
                                    () -> captures.accept(project, one, NAME, true, Scene.ACTOR),
                                    () ->
                                            captures.accept(
                                                    project, other, NAME, true, Scene.ACTOR)));

            assertThat(outcomes)
                    .containsOnlyOnce(Reason.NAME_TAKEN.name())
                    .hasAtLeastOneElementOfType(UploadId.class);
            assertThat(scene.reservations(project)).isOne();
        }
    }

    /** Of fifty at once seven, whether snapshots or bytes are short. */
    @Test
    @Tag("R56")
    @Tag("R60")
    @Tag("F8")
    void admitsAsManyCapturesAsThereIsRoomFor() throws Exception {
        int room = 7;
        ProjectId project = scene.project(room);
        List<SandboxId> sources = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            sources.add(scene.running(project));
        }
        long one = scene.sandbox(sources.get(0)).size().memoryBytes();
        int rounds = repeat() < 10 ? repeat() : 50;
        for (int round = 0; round < rounds; round++) {
            boolean byBytes = round % 2 == 1;
            scene.limit(project, byBytes ? 1000 : room, byBytes ? (room + 1) * one - 1 : 50 * one);
            int messages = scene.messages();
            long rows = scene.snapshotRows(project);

            List<Object> outcomes = captureAtOnce(project, sources);

            assertThat(outcomes).filteredOn(UploadId.class::isInstance).hasSize(room);
            Reason refused = byBytes ? Reason.QUOTA_BYTES_EXCEEDED : Reason.QUOTA_COUNT_EXCEEDED;
            assertThat(Collections.frequency(outcomes, refused.name()))
                    .isEqualTo(sources.size() - room);
            assertThat(scene.reservations(project)).isEqualTo(room);
            assertThat(scene.snapshotRows(project)).isEqualTo(rows + room);
            assertThat(scene.messages()).isEqualTo(messages + room);
            assertThat(sources)
                    .filteredOn(id -> scene.sandbox(id).state() == SandboxState.SNAPSHOTTING)
                    .hasSize(room);
            outcomes.stream()
                    .filter(UploadId.class::isInstance)
                    .forEach(upload -> snapshots.fail((UploadId) upload, "the round is over"));
            assertThat(scene.reservations(project)).isZero();
        }
    }

    private List<Object> captureAtOnce(ProjectId project, List<SandboxId> sources)
            throws Exception {
        return crowd.atOnce(
                sources.stream()
                        .map(
                                source ->
                                        (Callable<?>)
                                                () ->
                                                        captures.accept(
                                                                project,
                                                                source,
                                                                UNNAMED,
                                                                true,
                                                                Scene.ACTOR))
                        .toList());
    }

    /**
     * Captures come, are saved, fail and are removed, and at every moment the counters are right.
     */
    @Test
    @Tag("F10")
    void takesNothingThatIsUnderWayForDrift() throws Exception {
        ProjectId project = scene.project(1000);
        List<SandboxId> sources = List.of(scene.running(project), scene.running(project));
        List<Future<Object>> lives = new ArrayList<>();
        for (SandboxId source : sources) {
            lives.add(
                    crowd.beside(
                            () -> {
                                for (int round = 0; round < 2 * rounds(); round++) {
                                    live(project, source, round);
                                }
                                return null;
                            }));
        }
        int looks = 0;
        while (!lives.stream().allMatch(Future::isDone) || looks == 0) {
            assertThat(drifts.found(Optional.of(project), 1)).as("look %d", looks).isEmpty();
            assertThat(repaired(project)).as("look %d", looks).isEmpty();
            looks++;
        }
        for (Future<Object> each : lives) {
            each.get(1, TimeUnit.SECONDS);
        }
        assertThat(scene.reservations(project)).isZero();

        // Not that it finds nothing at all.
        transaction.run(() -> quotas.keep(project, 1));
        assertThat(repaired(project)).isPresent();
        assertThat(repaired(project)).isEmpty();
    }

    private Optional<Drift> repaired(ProjectId project) {
        List<Optional<Drift>> found = new ArrayList<>();
        transaction.run(() -> found.add(drifts.repair(project)));
        return found.get(0);
    }

    private void live(ProjectId project, SandboxId source, int round) {
        UploadId upload = captures.accept(project, source, UNNAMED, true, Scene.ACTOR);
        snapshots.claim(upload);
        if (round % 3 == 0) {
            snapshots.fail(upload, "it is to");
            return;
        }
        snapshots.seal(upload, scene.sealed());
        Snapshot snapshot = snapshots.find(upload).orElseThrow();
        if (round % 3 == 1) {
            snapshots.delete(snapshot);
            removals.cleanedUp(List.of(snapshot.id()), Map.of());
        }
    }

    @Test
    @Tag("R58")
    void warnsOnceWhenALimitComesNearFromBelow() throws Exception {
        ProjectId project = scene.project(5);
        List<String> told =
                scene.told(
                        Event.project(project),
                        2,
                        () -> {
                            List<Snapshot> saved = new ArrayList<>();
                            for (int i = 0; i < 5; i++) {
                                saved.add(scene.saved(project, UNNAMED, inAWeek()));
                            }
                            for (Snapshot each : saved.subList(0, 2)) {
                                snapshots.delete(each);
                                removals.cleanedUp(List.of(each.id()), Map.of());
                            }
                            scene.saved(project, UNNAMED, inAWeek());
                        });
        assertThat(told)
                .as("at four of five, and again after there were three")
                .containsExactly("STORAGE_WARNING_SNAPSHOTS", "STORAGE_WARNING_SNAPSHOTS");
    }

    @Test
    void takesARequestThatComesTwiceOnce() throws Exception {
        ProjectId project = scene.project(rounds());
        for (int round = 0; round < rounds(); round++) {
            UploadId upload =
                    captures.accept(project, scene.running(project), UNNAMED, true, Scene.ACTOR);
            Callable<Boolean> delivery = () -> snapshots.claim(upload);

            assertThat(crowd.atOnce(List.of(delivery, delivery)))
                    .containsExactlyInAnyOrder(true, false);
            assertThat(snapshots.claim(upload)).isFalse();
        }
    }

    @Test
    void keepsTheFirstOfSavedAndFailed() throws Exception {
        ProjectId project = scene.project(rounds());
        for (int round = 0; round < rounds(); round++) {
            long stored = scene.storedCount(project);
            SandboxId source = scene.running(project);
            UploadId upload = captures.accept(project, source, UNNAMED, true, Scene.ACTOR);
            snapshots.claim(upload);

            List<Object> outcomes =
                    crowd.atOnce(
                            List.of(
                                    () -> snapshots.seal(upload, scene.sealed()),
                                    () -> snapshots.fail(upload, "reaped")));

            assertThat(outcomes).containsExactlyInAnyOrder(true, false);
            boolean saved = (Boolean) outcomes.get(0);
            assertThat(snapshots.seal(upload, scene.sealed())).isFalse();
            assertThat(snapshots.fail(upload, "again")).isFalse();
            assertThat(snapshots.find(upload).orElseThrow().state())
                    .isEqualTo(saved ? SnapshotState.SAVED : SnapshotState.CLEANUP_PENDING);
            assertThat(scene.storedCount(project) - stored).isEqualTo(saved ? 1 : 0);
            assertThat(scene.reservations(project)).isZero();
            assertThat(scene.sandbox(source).state()).isEqualTo(SandboxState.RUNNING);
        }
    }

    /** Whoever cancels waits for a seal that was first, and then sees what it has done. */
    @Test
    @Tag("R161")
    @Tag("F8")
    void tellsNobodyThatItCancelledWhatWasSavedMeanwhile() throws Exception {
        ProjectId project = scene.project(10);
        UploadId upload =
                captures.accept(project, scene.running(project), UNNAMED, true, Scene.ACTOR);
        snapshots.claim(upload);
        List<Future<Operation>> cancelling = new ArrayList<>();

        transaction.run(
                () -> {
                    snapshots.lock(upload);
                    cancelling.add(crowd.beside(() -> operations.cancel(project, upload)));
                    scene.awaitBlocked();
                    snapshots.seal(upload, scene.sealed());
                });

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> cancelling.get(0).get(20, TimeUnit.SECONDS))
                .havingCause()
                .isInstanceOfSatisfying(
                        Problem.class,
                        told -> {
                            assertThat(told.reason()).isEqualTo(Reason.OPERATION_NOT_CANCELLABLE);
                            assertThat(told.members()).containsEntry("state", "done");
                        });
        assertThat(snapshots.find(upload).orElseThrow().state()).isEqualTo(SnapshotState.SAVED);
    }

    @Test
    @Tag("R154")
    void eitherDeletesASnapshotOrRestoresIt() throws Exception {
        ProjectId project = scene.project(rounds());
        try {
            for (int round = 0; round < rounds(); round++) {
                scene.openWorker();
                Snapshot snapshot = scene.saved(project, UNNAMED, inAWeek());

                List<Object> outcomes =
                        crowd.atOnce(
                                List.of(
                                        () -> snapshots.delete(snapshot),
                                        () -> restore(project, snapshot)));

                if (outcomes.get(1) instanceof SandboxId) {
                    assertThat(outcomes.get(0)).isEqualTo(Reason.SNAPSHOT_OCCUPIED.name());
                } else {
                    assertThat(outcomes).containsExactly(true, Reason.SNAPSHOT_DELETED.name());
                }
                assertThat(sandboxes.occupantsOf(snapshot.id().value()))
                        .hasSize(outcomes.get(1) instanceof SandboxId ? 1 : 0);
            }
        } finally {
            scene.closeWorker();
        }
    }

    @Test
    void refusesANameAtOnceWhileItsHolderIsBeingSaved() throws Exception {
        ProjectId project = scene.project(10);
        UploadId holder = captures.accept(project, scene.running(project), NAME, true, Scene.ACTOR);
        SandboxId source = scene.running(project);
        List<Future<Boolean>> saving = new ArrayList<>();

        assertThatExceptionOfType(Problem.class)
                .isThrownBy(
                        () ->
                                transaction.run(
                                        () -> {
                                            UploadId upload = UploadId.random();
                                            Sandbox taken =
                                                    sandboxes.beginCapture(
                                                            project, source, upload.value());
                                            quotas.reserve(
                                                    project,
                                                    upload.value(),
                                                    1,
                                                    Duration.ofHours(1));
                                            saving.add(
                                                    crowd.beside(
                                                            () ->
                                                                    snapshots.seal(
                                                                            holder,
                                                                            scene.sealed())));
                                            scene.awaitBlocked();
                                            snapshots.accept(
                                                    upload,
                                                    Kind.SNAPSHOT,
                                                    NAME,
                                                    true,
                                                    taken,
                                                    Scene.ACTOR,
                                                    Duration.ofHours(1));
                                        }))
                .satisfies(p -> assertThat(p.reason()).isEqualTo(Reason.NAME_TAKEN));

        assertThat(saving.get(0).get(20, TimeUnit.SECONDS)).isTrue();
    }

    private SandboxId restore(ProjectId project, Snapshot snapshot) {
        return restores.open(
                new Actor(project, Principal.system(), Permission.ofProject()),
                Optional.empty(),
                new Opening(
                        snapshot.id().toString(),
                        Optional.empty(),
                        Duration.ofMinutes(5),
                        Optional.empty(),
                        Optional.of(true),
                        NetworkOverride.NONE,
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Wishes.NONE,
                        Optional.empty()));
    }

    /** A round takes milliseconds, and a race wants many. */
    private static int rounds() {
        return 5 * repeat();
    }

    private static int repeat() {
        return Integer.parseInt(System.getenv("HOLDFAST_REPEAT"));
    }

    private static Instant inAWeek() {
        return Instant.now().plus(Duration.ofDays(7));
    }
}
