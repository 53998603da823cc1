package dev.holdfast.api;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static dev.holdfast.api.OwnProject.ask;
import static dev.holdfast.api.OwnProject.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The entries of an audit form a chain that anybody can verify. */
class AuditChainIT {
    private static final int KEYS = 9;

    private static NativeClient database;

    @TempDir Path home;

    @BeforeAll
    static void reachesTheDatabase() {
        database = new NativeClient();
    }

    private static OwnProject project(String name) {
        var project = OwnProject.make(name);
        var admin = project.everything();
        for (int i = 1; i < KEYS; i++) {
            var key = Map.of("name", "größe " + i, "permissions", List.of("snapshots:read"));
            expect(201, ask(admin, "POST", "/projects/" + project.id() + "/keys", key));
        }
        return project;
    }

    private static JsonPath chain(OwnProject project) {
        return expect(200, service("GET", "/projects/" + project.id() + "/audit/chain", null));
    }

    /** What a verification of the project's chain says at its end. */
    private static String verified(OwnProject project) throws Exception {
        var started =
                await(
                        "no other verification is under way",
                        () ->
                                service(
                                        "POST",
                                        "/admin/jobs/verify-audit/executions",
                                        Map.of("parameters", Map.of("project", project.id()))),
                        answer -> answer.statusCode() != 409);
        var at = "/admin/jobs/verify-audit/executions/" + expect(202, started).getString("id");
        return await(
                        "it is over",
                        () -> expect(200, service("GET", at, null)),
                        seen -> seen.getString("status").equals("completed"))
                .getString("outcome");
    }

    @Test
    void anExportVerifiesByItselfWithTheProgramOfTheReadmeAndNothingThatWasDoneToItPasses()
            throws Exception {
        var project = project("export");
        var end = chain(project);
        assertThat(end.getLong("length")).isEqualTo(KEYS + 1);
        assertThat(end.getLong("anchor.sequence")).isZero();
        assertThat((Object) end.get("verification")).isNull();

        var export = "/projects/" + project.id() + "/audit/export";
        var lines =
                List.of(
                        ask(project.key("project:admin"), "GET", export, null)
                                .asString()
                                .split("\n"));
        lines = lines.subList(lines.size() - KEYS - 1, lines.size()); // without that key itself
        assertThat(program(lines))
                .contains("'sequence': " + (KEYS + 1))
                .contains(end.getString("head.hash"));
        // Of adjoining times and in whatever order.
        var moment = new JsonPath(lines.get(4)).getString("at");
        var later = service("GET", export + "?from=" + moment, null).asString();
        var earlier = service("GET", export + "?to=" + moment, null).asString();
        assertThat(earlier).isNotBlank();
        assertThat(program(List.of((later + earlier).split("\n")))).contains("'sequence'");

        var changed = new ArrayList<>(lines);
        changed.set(3, changed.get(3).replace("key.create", "key.revoke"));
        assertThat(program(changed)).contains("changed: sequence " + (KEYS - 2));
        var removed = new ArrayList<>(lines);
        removed.remove(3);
        assertThat(program(removed)).contains("missing: sequence " + (KEYS - 2));
        var listed = service("GET", "/projects/" + project.id() + "/audit?limit=1", null);
        assertThat(expect(200, listed).getString("entries[0].chain.hash")).hasSize(64);
    }

    @Test
    void whateverIsDoneToARowIsFoundByTheJobWhichNamesTheFirstPlace() throws Exception {
        var project = project("tampered");
        var own = "chain = '" + project.id() + "'";
        assertThat(verified(project)).isEqualTo("whole: " + (KEYS + 1) + " entries, 1 chains");
        var whole = chain(project);
        assertThat(whole.getString("verification.outcome")).isEqualTo("whole");
        assertThat(whole.getMap("verification.until")).isEqualTo(whole.getMap("head"));
        assertThat(told(project, "audit.verified")).isEqualTo(whole.getString("head.hash"));

        var entry = "(select entry_id from audit_link where " + own + " and position = %d)";
        keep(project);
        found(
                project,
                "audit_changed",
                4,
                "update audit_entry set principal = 'nobody' where id = " + entry.formatted(4));
        assertThat(told(project, "audit.broken")).isNotEmpty();
        // What is no text where texts are cannot even be read.
        found(
                project,
                "audit_missing",
                5,
                "update audit_entry set details = '{\"a\": 1}' where id = " + entry.formatted(5));
        found(
                project,
                "audit_missing",
                6,
                "delete from audit_entry where id = " + entry.formatted(6));
        found(
                project,
                "audit_missing",
                7,
                "delete from audit_link where " + own + " and position = 7");
        found(
                project,
                "audit_changed",
                2,
                "update audit_link set position = -position where "
                        + own
                        + " and position in (2, 3)",
                "update audit_link set position = 5 + position where " + own + " and position < 0");
        found(
                project,
                "audit_missing",
                KEYS,
                "delete from audit_link where " + own + " and position >= " + KEYS,
                "update audit_chain c set last = l.position, last_hash = l.hash from audit_link l"
                        + " where c.id = l.chain and l."
                        + own
                        + " and l.position = "
                        + (KEYS - 1));
        var row =
                "insert into audit_entry (id, at, project_id, principal, action, subject_type,"
                        + " subject_id, outcome) values (nextval('audit_entry_seq'), %s, '"
                        + project.id()
                        + "', 'system', 'key.create', 'key', 'x', 'DONE')";
        found(
                project,
                "audit_unlinked",
                0,
                row.formatted("now()"),
                "delete from audit_pending where entry_id = (select max(id) from audit_entry"
                        + " where project_id = '"
                        + project.id()
                        + "')");
        // One that cannot be read keeps nobody else from a place.
        found(
                project,
                "audit_unlinked",
                0,
                row.formatted("now()")
                        .replace("outcome)", "outcome, details)")
                        .replace("'DONE')", "'DONE', '{\"a\": 1}')"));
        found(project, "audit_backdated", KEYS + 2, row.formatted("now() - interval '9 days'"));
        assertThat(verified(project)).startsWith("whole: ");
        database.sql("drop table kept_entry, kept_link, kept_chain");
    }

    @Test
    void whatIsOlderThanIsKeptGoesFromTheOldEndAndTheRestVerifies() throws Exception {
        var project = project("old");
        var terms = "/admin/projects/" + project.id();
        assertRefused(
                400,
                "invalid_parameter",
                service("PATCH", terms, Map.of("auditRetentionSeconds", 3600)));
        var month = Map.of("auditRetentionSeconds", 2592000);
        var set = expect(200, service("PATCH", terms, month));
        assertThat(set.getLong("auditRetentionSeconds")).isEqualTo(2592000);
        long length = chain(project).getLong("length");
        var own = "'" + project.id() + "'";

        // What a link says of an entry's age is no reason to let it go.
        database.sql(
                "update audit_link set at = now() - interval '31 days' where position <= 3"
                        + " and chain = "
                        + own);
        var broken =
                await(
                        "it is seen",
                        () -> chain(project),
                        seen -> "broken".equals(seen.getString("verification.outcome")));
        assertThat(broken.getString("verification.reason")).isEqualTo("audit_changed");
        assertThat(broken.getLong("length")).isEqualTo(length);

        // As if the project's audit began with three that are old.
        var old =
                "insert into audit_entry (id, at, project_id, principal, action, subject_type,"
                        + " subject_id, outcome) select nextval('audit_entry_seq'), now() -"
                        + " interval '31 days', "
                        + own
                        + ", 'system', 'key.revoke', 'key', 'x', 'DONE' from generate_series(1, 3)";
        database.sql(
                "begin; delete from audit_link where chain = "
                        + own
                        + "; delete from audit_entry where not service and project_id = "
                        + own
                        + "; delete from audit_chain where id = "
                        + own
                        + "; "
                        + old
                        + "; commit");
        await(
                "they have their places",
                () -> chain(project),
                has -> has.getLong("head.sequence") == 3);
        expect(
                201,
                ask(
                        project.everything(),
                        "POST",
                        "/projects/" + project.id() + "/keys",
                        Map.of("name", "young", "permissions", List.of("snapshots:read"))));

        var left =
                await(
                        "three are gone",
                        () -> chain(project),
                        seen -> seen.getLong("anchor.sequence") == 3);
        long young = left.getLong("length");
        assertThat(young).isEqualTo(left.getLong("head.sequence") - 3).isPositive();
        assertThat(verified(project)).isEqualTo("whole: " + young + " entries, 1 chains");
        var kept = expect(200, service("GET", "/projects/" + project.id() + "/audit", null));
        assertThat(kept.getList("entries.action"))
                .contains("key.create")
                .doesNotContain("key.revoke", "project.create");
        var service = expect(200, service("GET", "/admin/audit?subject=" + project.id(), null));
        assertThat(service.getList("entries.action")).contains("project.create");
    }

    /** The hash that the newest event of a type has told. */
    private static String told(OwnProject project, String type) {
        var events =
                expect(
                        200,
                        service("GET", "/admin/events?kind=audit&subject=" + project.id(), null));
        return events.getString("events.findAll { it.type == '" + type + "' }[-1].data.hash");
    }

    private static void keep(OwnProject project) throws Exception {
        var id = "'" + project.id() + "'";
        database.sql(
                "create table kept_entry as select * from audit_entry where project_id = " + id);
        database.sql("create table kept_link as select * from audit_link where chain = " + id);
        database.sql("create table kept_chain as select * from audit_chain where id = " + id);
    }

    private static void found(OwnProject project, String reason, long sequence, String... deeds)
            throws Exception {
        database.sql(String.join("; ", deeds));
        assertThat(verified(project)).startsWith(reason + " 1 (0 bytes); whole: ");
        var findings = expect(200, service("GET", "/admin/jobs/verify-audit/findings", null));
        assertThat(findings.getList("findings.reason")).containsExactly(reason);
        assertThat(findings.getString("findings[0].subject")).isEqualTo(project.id());
        var seen = chain(project);
        assertThat(seen.getString("verification.outcome")).isEqualTo("broken");
        assertThat(seen.getString("verification.reason")).isEqualTo(reason);
        if (sequence > 0) {
            assertThat(findings.getString("findings[0].detail"))
                    .isEqualTo("from sequence " + sequence + " on");
            assertThat(seen.getLong("verification.sequence")).isEqualTo(sequence);
        }
        var id = "'" + project.id() + "'";
        database.sql(
                "begin; delete from audit_link where chain = "
                        + id
                        + "; delete from audit_entry where project_id = "
                        + id
                        + " and not service; insert into audit_entry select * from kept_entry"
                        + " where not service; insert into audit_link select * from kept_link;"
                        + " delete from audit_pending p using kept_link k"
                        + " where p.entry_id = k.entry_id;"
                        + " update audit_chain c set last = k.last, last_hash = k.last_hash,"
                        + " verified = k.verified, verified_hash = k.verified_hash"
                        + " from kept_chain k where c.id = k.id; commit");
    }

    /** What the README's program says of such an export. */
    private String program(List<String> lines) throws IOException, InterruptedException {
        var page = Files.readString(Path.of("README.md"));
        var block =
                Pattern.compile("```python\n(.*?)```", Pattern.DOTALL)
                        .matcher(page.substring(page.indexOf("### The audit and its chain")));
        assertThat(block.find()).isTrue();
        var program = Files.writeString(home.resolve("verify.py"), block.group(1));
        var export = Files.write(home.resolve("audit.ndjson"), lines);
        var said = home.resolve("said");
        var process =
                new ProcessBuilder("python3", program + "", export + "")
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return Files.readString(said);
    }
}
