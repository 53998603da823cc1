package dev.holdfast.expiry;

import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.E2bRefusal;
import dev.holdfast.run.Management;
import dev.holdfast.run.SharedServer;
import dev.holdfast.storage.Disk;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The jobs that hold catalogue and store together, as an operator starts them. */
class StoreIT {

    private static final Duration LIFE = Duration.ofMinutes(10);

    private static final int REPEAT = Integer.getInteger("holdfast.repeat", 2);

    private static NativeClient api;
    private static E2bClient client;
    private static Management management;
    private static Path home;
    private static String database;

    private final List<Sandbox> opened = new ArrayList<>();
    private final List<String> captured = new ArrayList<>();

    @BeforeAll
    static void connects() throws IOException {
        var server = SharedServer.get();
        api = new NativeClient();
        client = new E2bClient(server.api(), server.apiKey());
        management = new Management(server);
        home = server.options().home();
        database = server.databaseUrl();
    }

    @AfterAll
    static void disconnects() throws IOException {
        management.close();
    }

    @AfterEach
    void leavesNothing() {
        opened.forEach(sandbox -> client.kill(sandbox.id()));
        captured.forEach(client::deleteSnapshot);
    }

    @Test
    @Tag("F22")
    @Tag("R130")
    void bringsTheRowsBackFromTheManifests() throws Exception {
        var source = create();
        client.write(source, "/home/user/kept", "as it was");
        var named = capture(source, "kept-name");
        var unnamed = capture(source, null);
        var expired = capture(source, "over");
        execute("update snapshot set expires_at = now() where id = '" + expired + "'");
        var manifest = Files.readString(manifestFile(expired));
        Files.writeString(
                manifestFile(expired),
                manifest.replaceFirst("\"expiresAt\":\"20..", "\"expiresAt\":\"2020"));
        var before = Map.of(named, row(named), unnamed, row(unnamed));
        var usage = usage(source);
        lose(named, unnamed, expired);

        var run = management.job("import-catalogue", Map.of());

        assertThat(run.status()).isEqualTo("COMPLETED");
        for (var id : before.keySet()) {
            assertThat(row(id)).isEqualTo(before.get(id));
        }
        assertThat(usage(source)).isEqualTo(usage);
        assertThat(findings("import-catalogue"))
                .containsEntry(expired, Set.of("name_lost", "expired_in_manifest"));
        management.job("expire-snapshots", Map.of());
        assertThat(rows("select state from snapshot where id = '" + expired + "'"))
                .as("its expiry may have been moved after its manifest was written")
                .containsExactly("SAVED");

        var clone = track(client.create("default/kept-name", LIFE));
        assertThat(client.read(clone, "/home/user/kept")).isEqualTo("as it was");
        assertThat(client.snapshots())
                .extracting(E2bClient.Snapshot::id)
                .contains(named, unnamed, expired);

        // Once more: there is nothing left to do.
        management.job("import-catalogue", Map.of());
        assertThat(row(unnamed)).isEqualTo(before.get(unnamed));
        assertThat(findings("import-catalogue")).doesNotContainKey(named);
        client.kill(clone.id());
    }

    @Test
    @Tag("R113")
    @Tag("R115")
    void leavesANameToTheNewerOfTwo() throws Exception {
        var source = create();
        var older = capture(source, "twice");
        lose(older);
        var newer = capture(source, "twice");

        management.job("import-catalogue", Map.of());

        assertThat(findings("import-catalogue")).containsEntry(older, Set.of("name_lost"));
        assertThat(names(older)).isEmpty();
        assertThat(names(newer)).containsExactly("default/twice:default");

        // The other way round: the newer one is the one that was lost.
        lose(newer);
        execute("update snapshot set name_held = true where id = '" + older + "'");
        management.job("import-catalogue", Map.of());
        assertThat(findings("import-catalogue")).containsEntry(older, Set.of("name_lost"));
        assertThat(names(older)).isEmpty();
        assertThat(names(newer)).containsExactly("default/twice:default");
    }

    @Test
    @Tag("R69")
    @Tag("R76")
    void bringsNothingBackThatWasRemovedOrThatNobodyCanUse() throws Exception {
        var source = create();
        var removed = capture(source, null);
        var foreign = capture(source, null);
        var unreadable = capture(source, null);
        var paused = create();
        client.pause(paused);
        var gone = create();
        client.pause(gone);
        var state = pauseOf(paused);
        var orphan = pauseOf(gone);
        execute(
                "update snapshot set name_held = false where id = '" + removed + "'",
                "insert into tombstone (snapshot_id, project_id, reason, removed_at) select id,"
                        + " project_id, 'DELETED', now() from snapshot where id = '"
                        + removed
                        + "'");
        lose(removed, foreign, unreadable, state, orphan);
        execute(
                "update sandbox set state = 'ENDED', ended_at = now(), end_reason = 'KILLED',"
                        + " ended_by = 'system' where id = '"
                        + gone.id()
                        + "'");
        var project = UUID.randomUUID().toString();
        rewrite(foreign, "projectId", Json.createValue(project));
        rewrite(
                foreign,
                "template",
                Json.createObjectBuilder(manifest(foreign).getJsonObject("template"))
                        .add("name", "lost-" + project.substring(0, 8))
                        .build());
        Files.writeString(manifestFile(unreadable), "{\"version\":1");

        management.job("import-catalogue", Map.of());

        assertThat(ids()).doesNotContain(removed, orphan, unreadable).contains(foreign, state);
        var found = findings("import-catalogue");
        assertThat(found)
                .containsEntry(project, Set.of("project_created"))
                .containsEntry("lost-" + project.substring(0, 8), Set.of("template_lost"))
                .containsEntry(orphan, Set.of("pause_without_sandbox"))
                .containsEntry(unreadable, Set.of("manifest_unreadable"))
                .doesNotContainKey(removed);
        assertThat(rows("select slug from project where id = '" + project + "'"))
                .containsExactly((String) null);
        assertThat(
                        rows(
                                "select stored_count from project_usage where project_id = '"
                                        + project
                                        + "'"))
                .containsExactly("1");
        assertThat(client.must(client.resume(paused, LIFE), "echo on")).isEqualTo("on\n");

        // What is left over goes on the operator's word, and what has a tombstone by itself.
        for (var id : List.of(removed, orphan, unreadable)) {
            age(id);
        }
        management.job("sweep-orphans", Map.of());
        assertThat(stored()).doesNotContain(removed).contains(orphan, unreadable, foreign);
        var swept = management.job("sweep-orphans", Map.of("delete", "true"));
        assertThat(swept.found()).contains("removed 2");
        assertThat(stored()).doesNotContain(orphan, unreadable).contains(foreign);
        execute("update snapshot set expires_at = now() where id = '" + foreign + "'");
        management.job("expire-snapshots", Map.of());
        management.job("clean-up-objects", Map.of());
        assertThat(stored()).doesNotContain(foreign);
    }

    @Test
    @Tag("F19")
    @Tag("F22")
    @Tag("F24")
    void reportsObjectsWithoutRowsAndRowsWithoutObjects() throws Exception {
        var stray = UUID.randomUUID().toString();
        var directory = Files.createDirectories(home.resolve("store/snapshots").resolve(stray));
        Files.writeString(directory.resolve("pages.img"), "0123456789");
        age(stray);
        var source = create();
        var hollow = capture(source, null);
        Disk.deleteTree(home.resolve("store/snapshots").resolve(hollow));
        execute(
                "update snapshot set saved_at = now() - interval '2 hours' where id = '"
                        + hollow
                        + "'");

        var run = management.job("sweep-orphans", Map.of());

        assertThat(run.found()).contains("objects_without_row", "row_without_objects");
        assertThat(findings("sweep-orphans"))
                .containsEntry(stray, Set.of("objects_without_row"))
                .containsEntry(hollow, Set.of("row_without_objects"));
        assertThat(
                        rows(
                                "select objects || ' ' || bytes from finding where subject = '"
                                        + stray
                                        + "'"))
                .containsExactly("1 10");
        assertThat(stored()).contains(stray);
        assertThat(rows("select parts_state from snapshot where id = '" + hollow + "'"))
                .containsExactly("MISSING");
        assertThatThrownBy(() -> client.create(hollow, LIFE))
                .isInstanceOfSatisfying(
                        E2bRefusal.class, refusal -> assertThat(refusal.status()).isEqualTo(409));

        // Too young for the age that the operator gave, then old enough.
        management.job("sweep-orphans", Map.of("delete", "true", "age", "P1D"));
        assertThat(stored()).contains(stray);
        management.job("sweep-orphans", Map.of("delete", "true", "age", "PT1H"));
        assertThat(stored()).doesNotContain(stray);

        // What is missing counts as removed.
        assertThat(client.deleteSnapshot(hollow)).isTrue();
        management.job("clean-up-objects", Map.of());
        assertThat(ids()).doesNotContain(hollow);
        assertThat(rows("select reason from tombstone where snapshot_id = '" + hollow + "'"))
                .containsExactly("DELETED");
    }

    @Test
    @Tag("F18")
    @Tag("F21")
    void findsLostAndChangedPartsBeforeAnybodyRestores() throws Exception {
        var source = create();
        client.write(source, "/home/user/kept", "as it was");
        var changed = capture(source, null);
        var lost = capture(source, null);
        var whole = capture(source, null);
        var pages = home.resolve("store/snapshots").resolve(changed).resolve("pages.img");
        byte[] good = Files.readAllBytes(pages);
        byte[] bad = good.clone();
        bad[bad.length / 2] ^= 1;
        Files.write(pages, bad);
        var gone = home.resolve("store/snapshots").resolve(lost).resolve("pages_meta.img");
        var aside = Files.move(gone, home.resolve("aside"));

        assertThat(scrub(changed, lost, whole)).contains("parts_corrupt 1", "parts_missing 1");

        assertThat(partsState(changed)).isEqualTo("CORRUPT");
        assertThat(partsState(lost)).isEqualTo("MISSING");
        assertThat(partsState(whole)).isEqualTo("COMPLETE");
        for (var id : List.of(changed, lost)) {
            assertThatThrownBy(() -> client.create(id, LIFE))
                    .isInstanceOf(E2bRefusal.class)
                    .hasMessageContaining("_part");
        }
        assertThat(client.read(track(client.create(whole, LIFE)), "/home/user/kept"))
                .isEqualTo("as it was");

        Files.write(pages, good);
        Files.move(aside, gone);
        var read = checkedAt(whole);
        assertThat(management.job("verify-parts", Map.of()).found())
                .as("what was not whole is read by every run")
                .contains("parts_complete_again 2");
        assertThat(checkedAt(whole)).isEqualTo(read);
        assertThat(client.read(track(client.create(changed, LIFE)), "/home/user/kept"))
                .isEqualTo("as it was");
        opened.forEach(sandbox -> client.kill(sandbox.id()));
    }

    /** As it is where the store's file system is not mounted. */
    @Test
    @Tag("F18")
    void judgesNobodyByAStoreInWhichThereIsNothing() throws Exception {
        var source = create();
        var id = capture(source, null);
        execute(
                "update snapshot set saved_at = now() - interval '2 hours' where id = '"
                        + id
                        + "'");
        var away = home.resolve("snapshots-away");
        Files.move(home.resolve("store/snapshots"), away);
        try {
            assertThat(scrub(id)).contains("store_empty 1");
            assertThat(management.job("sweep-orphans", Map.of()).found()).contains("store_empty 1");
        } finally {
            Disk.deleteTree(home.resolve("store/snapshots"));
            Files.move(away, home.resolve("store/snapshots"));
        }
        assertThat(partsState(id)).isEqualTo("COMPLETE");
        assertThat(client.must(track(client.create(id, LIFE)), "echo on")).isEqualTo("on\n");
        opened.forEach(sandbox -> client.kill(sandbox.id()));
    }

    @Test
    @Tag("F12")
    void forgetsWhatWasRemovedAMonthAgo() throws Exception {
        var old = UUID.randomUUID().toString();
        var younger = UUID.randomUUID().toString();
        for (var each : Map.of(old, "31 days", younger, "29 days").entrySet()) {
            execute(
                    "insert into tombstone (snapshot_id, project_id, reason, removed_at, buried_at)"
                            + " select '"
                            + each.getKey()
                            + "', id, 'DELETED', now() - interval '40 days', now() - interval '"
                            + each.getValue()
                            + "' from project limit 1");
        }

        assertThat(management.job("purge-tombstones", Map.of()).status()).isEqualTo("COMPLETED");

        assertThat(
                        rows(
                                "select snapshot_id::text from tombstone where snapshot_id in ('"
                                        + old
                                        + "', '"
                                        + younger
                                        + "')"))
                .containsExactly(younger);
    }

    @Test
    @Tag("F18")
    void readsTheLongestUnreadFirstAndNoMoreThanItMay() throws Exception {
        var source = create();
        var first = capture(source, null);
        var second = capture(source, null);
        execute(
                "update snapshot set parts_checked_at = 'epoch' where id = '" + first + "'",
                "update snapshot set parts_checked_at = timestamptz 'epoch' + interval '1 s'"
                        + " where id = '"
                        + second
                        + "'");

        management.job("verify-parts", Map.of("bytes", "1"));

        assertThat(
                        rows(
                                "select id::text from snapshot where parts_checked_at < '1971-01-01'"
                                        + " and id in ('"
                                        + first
                                        + "', '"
                                        + second
                                        + "')"))
                .containsExactly(second);
    }

    @Test
    @Tag("R70")
    @Tag("F23")
    void removesBuildsAndImagesThatNobodyNeeds() throws Exception {
        var build = blob("runtimes", "", "a build that nobody uses");
        var image = blob("templates", ".squashfs", "an image that nobody uses");
        var needed = blob("runtimes", "", "a build that a lost snapshot needs");
        var source = create();
        var snapshot = capture(source, null);
        lose(snapshot);
        rewrite(
                snapshot,
                "fingerprint",
                Json.createObjectBuilder(manifest(snapshot).getJsonObject("fingerprint"))
                        .add("runtimeSha256", needed.getFileName().toString())
                        .build());

        management.job("purge-blobs", Map.of());
        assertThat(build).as("just found, so it has its grace").exists();

        var purged = management.job("purge-blobs", Map.of("grace", "PT0S"));

        assertThat(purged.status()).isEqualTo("COMPLETED");
        assertThat(purged.found()).startsWith("removed ");
        assertThat(build).doesNotExist();
        assertThat(image).doesNotExist();
        assertThat(needed).exists();
        eventuallyGone(local(build));
        eventuallyGone(local(image));
        for (var digest : rows("select runtime_id from worker where runtime_id is not null")) {
            if (!digest.matches("(..)\\1{31}")) {
                assertThat(home.resolve("store/runtimes").resolve(digest)).exists();
            }
        }

        execute(
                "insert into tombstone (snapshot_id, project_id, reason, removed_at) select '"
                        + snapshot
                        + "', project_id, 'DELETED', now() from sandbox where id = '"
                        + source.id()
                        + "'");
        management.job("purge-blobs", Map.of("grace", "PT0S"));
        assertThat(needed).doesNotExist();
        age(snapshot);
        management.job("sweep-orphans", Map.of());
        assertThat(stored()).doesNotContain(snapshot);
        assertThat(client.must(track(client.create("base", LIFE)), "echo starts"))
                .isEqualTo("starts\n");
    }

    @Test
    @Tag("F12")
    @Tag("F22")
    void bringsBackWhatWasChangedAfterTheManifest() throws Exception {
        var source = create();
        var longer = capture(source, null);
        var shorter = capture(source, "shorter");
        var torn = capture(source, null);
        var crashed = capture(source, null);
        var older = capture(source, null);
        move(longer, Duration.ofDays(8));
        together(() -> move(longer, Duration.ofDays(9)), () -> move(longer, Duration.ofDays(10)));
        move(torn, Duration.ofDays(9));
        move(older, Duration.ofDays(9));
        expect(
                200,
                api.patch(
                        "/snapshots/" + shorter,
                        Map.of("expiresAt", Instant.now().plusSeconds(5).toString())));
        // The server died between the commit and the store.
        execute(
                "update snapshot set expires_at = expires_at + interval '1 day',"
                        + " change_number = change_number + 1 where id = '"
                        + crashed
                        + "'");
        assertThat(management.job("write-amendments", Map.of()).status()).isEqualTo("COMPLETED");
        for (var id : List.of(longer, shorter, torn, crashed, older)) {
            eventuallyFollowed(id);
        }
        assertThat(amendments(longer)).containsExactly("amendment-3.json");
        Files.writeString(
                amendment(torn, 1), Files.readString(amendment(torn, 1)).substring(0, 100));
        var before = new HashMap<String, String>();
        for (var id : List.of(longer, shorter, crashed, older)) {
            before.put(id, row(id));
        }
        lose(longer, shorter, torn, crashed);
        // What a copy of the database that was made before the change has of it.
        execute(
                "update snapshot set expires_at = saved_at + interval '1 hour', change_number = 0,"
                        + " stored_change = 0 where id = '"
                        + older
                        + "'");
        Thread.sleep(5000); // until the expiry of one of them is past

        management.job("import-catalogue", Map.of());

        for (var id : before.keySet()) {
            if (!id.equals(shorter)) { // it has given up its name
                assertThat(row(id)).isEqualTo(before.get(id));
            }
        }
        assertThat(findings("import-catalogue"))
                .containsEntry(older, Set.of("amended"))
                .containsEntry(shorter, Set.of("name_lost"))
                .containsEntry(torn, Set.of("amendment_unreadable"))
                .doesNotContainKeys(longer, crashed);
        assertThat(value("expires_at - saved_at", torn)).isEqualTo("7 days");
        management.job("expire-snapshots", Map.of());
        assertThat(value("state", shorter)).isEqualTo("CLEANUP_PENDING");

        // What comes now supersedes what is torn.
        move(torn, Duration.ofDays(6));
        eventuallyFollowed(torn);
        assertThat(amendments(torn)).containsExactly("amendment-2.json");
        management.job("import-catalogue", Map.of());
        assertThat(findings("import-catalogue")).doesNotContainKeys(torn, older);

        // As long as there is a row, nothing is lost by a torn one, once somebody has read it.
        Files.writeString(amendment(torn, 2), "");
        Files.delete(amendment(longer, 3));
        assertThat(scrub(torn, longer)).contains("amendment_lost 2");
        management.job("write-amendments", Map.of());
        assertThat(amendments(torn)).containsExactly("amendment-3.json");
        assertThat(amendments(longer)).containsExactly("amendment-3.json");
    }

    @Test
    @Tag("F19")
    @Tag("F22")
    void leavesNoAmendmentOfWhatIsRemoved() throws Exception {
        var source = create();
        var removed = new ArrayList<String>();
        for (int round = 0; round < REPEAT; round++) {
            var id = capture(source, null);
            removed.add(id);
            together(
                    () -> api.patch("/snapshots/" + id, Map.of("retentionSeconds", 864_000)),
                    () -> expect(204, api.delete("/snapshots/" + id)));
            management.job("clean-up-objects", Map.of());
        }
        for (var id : removed) {
            assertThat(ids()).doesNotContain(id);
            eventuallyGone(manifestFile(id).getParent());
        }

        // Written too late, by a server that died before it looked again.
        var late = removed.get(0);
        Files.createDirectories(amendment(late, 1).getParent());
        Files.writeString(amendment(late, 1), "{}");
        management.job("import-catalogue", Map.of());
        assertThat(ids()).doesNotContain(late);
        age(late);
        management.job("sweep-orphans", Map.of());
        assertThat(stored()).doesNotContain(late);
    }

    /** Its expiry, so long after its saving. */
    private static Object move(String id, Duration kept) {
        expect(200, api.patch("/snapshots/" + id, Map.of("retentionSeconds", kept.toSeconds())));
        return null;
    }

    @SafeVarargs
    private static void together(Callable<Object>... both) throws Exception {
        var threads = Executors.newFixedThreadPool(both.length);
        try {
            for (var each : threads.invokeAll(List.of(both))) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void eventuallyFollowed(String id) throws Exception {
        for (int tries = 0;
                tries < 200 && !value("change_number - stored_change", id).equals("0");
                tries++) {
            Thread.sleep(50);
        }
        assertThat(value("change_number - stored_change", id)).isEqualTo("0");
    }

    private static String value(String what, String id) throws SQLException {
        return rows("select (" + what + ")::text from snapshot where id = '" + id + "'").get(0);
    }

    private static Path amendment(String id, long number) {
        return manifestFile(id).resolveSibling("amendment-" + number + ".json");
    }

    private static List<String> amendments(String id) throws IOException {
        try (var files = Files.list(manifestFile(id).getParent())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("amendment"))
                    .toList();
        }
    }

    private Sandbox create() {
        return track(client.create("base", LIFE));
    }

    private Sandbox track(Sandbox sandbox) {
        opened.add(sandbox);
        return sandbox;
    }

    private String capture(Sandbox sandbox, String name) {
        var id = (name == null ? client.snapshot(sandbox) : client.snapshot(sandbox, name)).id();
        captured.add(id);
        return id;
    }

    private static String pauseOf(Sandbox sandbox) throws SQLException {
        return rows("select image_id from sandbox where id = '" + sandbox.id() + "'").get(0);
    }

    /** The rows of a database that is older than the store. */
    private static void lose(String... snapshots) throws SQLException {
        for (var id : snapshots) {
            execute(
                    "update project_usage u set stored_bytes = u.stored_bytes - case s.kind when 'PAUSE'"
                            + " then 0 else s.stored_bytes end, stored_count = u.stored_count - case"
                            + " s.kind when 'PAUSE' then 0 else 1 end, paused_bytes = u.paused_bytes -"
                            + " case s.kind when 'PAUSE' then s.stored_bytes else 0 end from snapshot s"
                            + " where s.project_id = u.project_id and s.id = '"
                            + id
                            + "'",
                    "delete from snapshot where id = '" + id + "'");
        }
    }

    private static String row(String id) throws SQLException {
        return rows("select to_jsonb(s) - 'version' - 'deadline_at' - 'parts_checked_at'"
                        + " from snapshot s where id = '"
                        + id
                        + "'")
                .get(0);
    }

    private static String usage(Sandbox source) throws SQLException {
        return rows("select stored_bytes || ' ' || stored_count || ' ' || paused_bytes"
                        + " from project_usage u, sandbox s where s.project_id = u.project_id"
                        + " and s.id = '"
                        + source.id()
                        + "'")
                .get(0);
    }

    private static List<String> ids() throws SQLException {
        return rows("select id::text from snapshot");
    }

    private static String partsState(String id) throws SQLException {
        return rows("select parts_state from snapshot where id = '" + id + "'").get(0);
    }

    private static String checkedAt(String id) throws SQLException {
        return rows("select parts_checked_at::text from snapshot where id = '" + id + "'").get(0);
    }

    /** Reads just these again, before all others. */
    private static String scrub(String... ids) throws Exception {
        for (var id : ids) {
            execute("update snapshot set parts_checked_at = 'epoch' where id = '" + id + "'");
        }
        var run = management.job("verify-parts", Map.of("unread", "PT0S", "most", "" + ids.length));
        assertThat(run.status()).isEqualTo("COMPLETED");
        return run.found();
    }

    private static List<String> names(String id) {
        return client.snapshots().stream()
                .filter(snapshot -> snapshot.id().equals(id))
                .findFirst()
                .orElseThrow()
                .names();
    }

    private static Map<String, Set<String>> findings(String job) throws SQLException {
        var found = new HashMap<String, Set<String>>();
        for (var line :
                rows("select subject || ' ' || reason from finding where job = '" + job + "'")) {
            var words = line.split(" ");
            found.computeIfAbsent(words[0], absent -> new TreeSet<>()).add(words[1]);
        }
        return found;
    }

    private static Path manifestFile(String id) {
        return home.resolve("store/snapshots").resolve(id).resolve("manifest.json");
    }

    private static JsonObject manifest(String id) throws IOException {
        try (var reader = Json.createReader(new StringReader(Files.readString(manifestFile(id))))) {
            return reader.readObject();
        }
    }

    private static void rewrite(String id, String member, JsonValue value) throws IOException {
        var changed = Json.createObjectBuilder(manifest(id)).add(member, value);
        Files.writeString(manifestFile(id), changed.build().toString());
    }

    /** An object of the store and a copy of it, under its digest. */
    private static Path blob(String directory, String suffix, String content) throws Exception {
        var bytes = (content + UUID.randomUUID()).getBytes(StandardCharsets.UTF_8);
        var name =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
                        + suffix;
        var stored = home.resolve("store").resolve(directory).resolve(name);
        Files.write(stored, bytes);
        Files.write(local(stored), bytes);
        return stored;
    }

    private static Path local(Path stored) {
        return home.resolve("worker")
                .resolve(stored.getParent().getFileName())
                .resolve(stored.getFileName());
    }

    private static void eventuallyGone(Path file) throws InterruptedException {
        for (int tries = 0; tries < 100 && Files.exists(file); tries++) {
            Thread.sleep(50);
        }
        assertThat(file).doesNotExist();
    }

    private static Set<String> stored() throws IOException {
        if (!Files.isDirectory(home.resolve("store/snapshots"))) {
            return Set.of(); // with the last object its directories go
        }
        try (var directories = Files.list(home.resolve("store/snapshots"))) {
            return new TreeSet<>(directories.map(each -> each.getFileName().toString()).toList());
        }
    }

    /** As if it had been stored long before the grace time. */
    private static void age(String id) throws IOException {
        try (var files = Files.list(home.resolve("store/snapshots").resolve(id))) {
            for (var file : files.toList()) {
                Files.setLastModifiedTime(
                        file, FileTime.from(Instant.now().minus(Duration.ofHours(3))));
            }
        }
    }

    private static List<String> rows(String query) throws SQLException {
        try (var connection = DriverManager.getConnection(database);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    private static void execute(String... statements) throws SQLException {
        try (var connection = DriverManager.getConnection(database);
                var statement = connection.createStatement()) {
            for (var each : statements) {
                statement.executeUpdate(each);
            }
        }
    }
}
