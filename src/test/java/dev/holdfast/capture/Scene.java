package dev.holdfast.capture;

import dev.holdfast.access.ProjectId;
import dev.holdfast.fleet.Offer;
import dev.holdfast.fleet.Workers;
import dev.holdfast.role.Role;
import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.NetworkPolicy;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxChoices;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxOrder;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Fingerprint;
import dev.holdfast.snapshot.Sealed;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import dev.holdfast.template.Templates;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * What a capture needs around it, made by the beans that make it in earnest. Its sandboxes belong
 * to a worker that is nowhere, so every message stays in its queue to be counted.
 */
@Dependent
class Scene {

    static final String ACTOR = "tester";

    private static final String ELSEWHERE = "elsewhere";
    private static final String DIGEST = "ab".repeat(32);
    private static final String ARCHITECTURE = "amd64";
    private static final String PLATFORM = "none";
    private static final Size SIZE = new Size(1, 256, 1024);
    private static final TemplateId TEMPLATE = new TemplateId("scenery");

    @Inject Captures captures;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;
    @Inject Templates templates;
    @Inject Workers workers;

    @Resource(lookup = "java:jboss/datasources/HoldfastNonXaDS")
    DataSource database;

    @Resource(lookup = "java:/ConnectionFactory")
    ConnectionFactory broker;

    @Resource(lookup = "java:/jms/queue/holdfast.capture")
    Queue requests;

    @Resource(lookup = "java:/jms/topic/holdfast.events")
    Topic events;

    /** A project that may store so many snapshots; no bean makes projects yet. */
    ProjectId project(int mostSnapshots) throws SQLException {
        UUID id = UUID.randomUUID();
        try (var connection = database.getConnection();
                var insert =
                        connection.prepareStatement(
                                "insert into project (id, name, plan_bytes, plan_snapshots,"
                                        + " plan_live_sandboxes, plan_lifetime_seconds, created_at)"
                                        + " values (?, 'scene', 1099511627776, ?, 100, 3600,"
                                        + " now())")) {
            insert.setObject(1, id);
            insert.setInt(2, mostSnapshots);
            insert.executeUpdate();
        }
        templates.publishBuiltIn(TEMPLATE, 2, DIGEST, SIZE);
        return new ProjectId(id);
    }

    void limit(ProjectId project, int mostSnapshots, long mostBytes) throws SQLException {
        try (var connection = database.getConnection();
                var update =
                        connection.prepareStatement(
                                "update project set plan_snapshots = ?, plan_bytes = ?"
                                        + " where id = ?")) {
            update.setInt(1, mostSnapshots);
            update.setLong(2, mostBytes);
            update.setObject(3, project.value());
            update.executeUpdate();
        }
    }

    interface Deed {
        void happen() throws Exception;
    }

    /** The states that are told of a subject while something happens: so many, or more. */
    List<String> told(String subject, int many, Deed deed) throws Exception {
        try (JMSContext jms = broker.createContext();
                var listening = jms.createConsumer(events, "subject = '" + subject + "'")) {
            deed.happen();
            List<String> states = new ArrayList<>();
            Message next = listening.receive(20_000);
            while (next != null) {
                states.add(next.getStringProperty("state"));
                next = listening.receive(states.size() < many ? 20_000 : 500);
            }
            return states;
        }
    }

    /** A sandbox that runs, as far as the catalogue knows. */
    SandboxId running(ProjectId project) {
        return running(project, Optional.empty());
    }

    /** A sandbox that runs and was restored. */
    SandboxId occupant(ProjectId project, Snapshot origin) {
        return running(project, Optional.of(origin.id().value()));
    }

    private SandboxId running(ProjectId project, Optional<UUID> origin) {
        SandboxId id = SandboxId.random();
        sandboxes.order(
                new SandboxOrder(
                        id,
                        project,
                        TEMPLATE,
                        DIGEST,
                        2,
                        origin,
                        origin,
                        Optional.empty(),
                        false,
                        SIZE,
                        List.of(),
                        Map.of(),
                        new SandboxChoices(
                                Duration.ofHours(1),
                                true,
                                NetworkPolicy.DEFAULT,
                                Lifecycle.ENDS,
                                Map.of()),
                        Optional.empty(),
                        ACTOR),
                ELSEWHERE);
        String machine = "m" + id.value().substring(1);
        sandboxes.claim(id, ELSEWHERE, machine, DIGEST, Optional.empty()).orElseThrow();
        sandboxes.started(id, machine, Optional.empty()).orElseThrow();
        return id;
    }

    /** A snapshot that was captured, stored and saved. */
    Snapshot saved(ProjectId project, Optional<SnapshotName> name, Instant expiresAt) {
        UploadId upload = captures.accept(project, running(project), name, true, ACTOR);
        snapshots.claim(upload);
        snapshots.seal(upload, sealed(expiresAt));
        return snapshots.find(upload).orElseThrow();
    }

    Sealed sealed(Instant expiresAt) {
        return new Sealed(
                new Fingerprint(DIGEST, PLATFORM, ARCHITECTURE, List.of(), 1),
                1000,
                100,
                Duration.ofMillis(50),
                Instant.now(),
                Optional.of(expiresAt));
    }

    Sealed sealed() {
        return sealed(Instant.now().plus(Duration.ofDays(7)));
    }

    /** The worker that is nowhere takes restores, for as long as a lease lasts. */
    void openWorker() {
        long incarnation = workers.begin(ELSEWHERE, "none", Set.of(Role.WORKER), true);
        workers.announce(
                new Offer(
                        ELSEWHERE,
                        List.of(),
                        Optional.empty(),
                        Optional.of(DIGEST),
                        PLATFORM,
                        ARCHITECTURE,
                        List.of(),
                        List.of(1),
                        List.of(1),
                        Integer.MAX_VALUE),
                incarnation);
    }

    void closeWorker() throws SQLException {
        try (var connection = database.getConnection();
                var delete = connection.prepareStatement("delete from worker where id = ?")) {
            delete.setString(1, ELSEWHERE);
            delete.executeUpdate();
        }
    }

    Sandbox sandbox(SandboxId id) {
        return sandboxes.find(id).orElseThrow();
    }

    /** How many requests of these tests wait in the capture queue. */
    int messages() throws JMSException {
        return browse("worker = '" + ELSEWHERE + "'");
    }

    int messages(UploadId upload) throws JMSException {
        return browse("worker = '" + ELSEWHERE + "' and upload = '" + upload + "'");
    }

    long reservations(ProjectId project) throws SQLException {
        return number("select count(*) from reservation where project_id = ?", project);
    }

    /** The rows, whatever their state. */
    long snapshotRows(ProjectId project) throws SQLException {
        return number("select count(*) from snapshot where project_id = ?", project);
    }

    long storedCount(ProjectId project) throws SQLException {
        return number("select sum(stored_count) from project_usage where project_id = ?", project);
    }

    /** Returns once a transaction waits for another one's lock. */
    void awaitBlocked() {
        try (var connection = database.getConnection();
                var query =
                        connection.prepareStatement(
                                "select count(*) from pg_stat_activity"
                                        + " where wait_event_type = 'Lock'")) {
            for (int tries = 0; tries < 500; tries++) {
                try (var rows = query.executeQuery()) {
                    rows.next();
                    if (rows.getLong(1) > 0) {
                        return;
                    }
                }
                Thread.sleep(20);
            }
            throw new AssertionError("nobody waits for a lock");
        } catch (SQLException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private long number(String text, ProjectId project) throws SQLException {
        try (var connection = database.getConnection();
                var query = connection.prepareStatement(text)) {
            query.setObject(1, project.value());
            try (var rows = query.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    private int browse(String selector) throws JMSException {
        try (JMSContext jms = broker.createContext();
                var browser = jms.createBrowser(requests, selector)) {
            int found = 0;
            for (var each = browser.getEnumeration(); each.hasMoreElements(); each.nextElement()) {
                found++;
            }
            return found;
        }
    }
}
