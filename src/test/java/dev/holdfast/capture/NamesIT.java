package dev.holdfast.capture;

import static dev.holdfast.capture.Native.json;
import static dev.holdfast.capture.Native.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.capture.Native.Hold;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.run.SharedServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names of snapshots, from the reservation to the moment they are free. */
class NamesIT {

    private static final Duration LIFE = Duration.ofMinutes(10);

    private static E2bClient client;
    private static Native project;
    private static Sandbox one;

    /** Of another template than the first. */
    private static Sandbox two;

    @BeforeAll
    static void opens() throws Exception {
        client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        project = new Native(SharedServer.apiKey());
        one = client.create("base", LIFE);
        two = client.create("code-interpreter-v1", LIFE);
    }

    @AfterAll
    static void ends() {
        client.kill(one.id());
        client.kill(two.id());
    }

    @Test
    @Tag("R111")
    @Tag("R113")
    @Tag("R114")
    @Tag("R115")
    @Tag("R116")
    @Tag("R118")
    @Tag("R119")
    @Tag("R120")
    @Tag("R121")
    void belongsToOneSnapshotAcrossTemplates() throws Exception {
        var written = json(201, capture(one, " Deps-Ready "));
        var qualified = project.slug() + "/deps-ready:default";
        assertThat(written.getString("snapshotID")).isNotBlank();
        assertThat(written.getList("names")).asString().isEqualTo("[" + qualified + "]");

        for (var same : List.of("deps-ready", "deps-ready:default", qualified, "DEPS-READY")) {
            refused(409, "name_taken", capture(two, same));
        }
        assertThat(client.snapshots())
                .as("the holder is left as it is")
                .anySatisfy(
                        found -> {
                            assertThat(found.id()).isEqualTo(written.getString("snapshotID"));
                            assertThat(found.names()).containsExactly(qualified);
                        });
        var tagged = json(201, capture(one, "deps-ready:v1"));
        assertThat(tagged.getList("names"))
                .asString()
                .isEqualTo("[" + project.slug() + "/deps-ready:v1]");
        for (var each : List.of(written, tagged)) {
            assertThat(client.deleteSnapshot(each.getString("snapshotID"))).isTrue();
        }
    }

    @Test
    @Tag("R113")
    @Tag("R115")
    @Tag("R117")
    @Tag("F11")
    void isReservedWhenTheCaptureIsAcceptedAndFreeWhenThatIsOver() throws Exception {
        var upload = project.begin(one.id(), Map.of("name", "reserved"));
        try (var hold = new Hold(upload)) {
            refused(409, "name_taken", capture(two, "reserved"));
            assertThat(client.lifecycleState(two.id())).isEqualTo("RUNNING");
        }
        var first = project.over(upload).getString("snapshotId");
        refused(409, "name_taken", capture(two, "reserved"));
        assertThat(client.deleteSnapshot(project.slug() + "/reserved")).isTrue();

        var second = client.snapshot(one, "reserved").id();
        assertThat(second).isNotEqualTo(first);
        Native.update("update snapshot set expires_at = now() where id = ?::uuid", second);
        var third = client.snapshot(one, "reserved").id();
        assertThat(client.deleteSnapshot(second)).as("expired").isFalse();

        assertThat(client.deleteSnapshot(third)).isTrue();
        var cancelled = project.begin(two.id(), Map.of("name", "reserved"));
        json(200, project.cancel(cancelled));
        var fourth = client.snapshot(one, "reserved").id();
        assertThat(client.deleteSnapshot(fourth)).isTrue();
    }

    @Test
    @Tag("R98")
    @Tag("R99")
    @Tag("R112")
    @Tag("R136")
    @Tag("R159")
    void followsTheNameOfItsProject() throws Exception {
        var key =
                OtherProject.key(
                        SharedServer.api(),
                        SharedServer.apiKey(),
                        SharedServer.get().databaseUrl());
        var tenant = new E2bClient(SharedServer.api(), key);
        var neighbour = new Native(key);
        var source = tenant.create("base", LIFE);

        refused(
                409,
                "project_unnamed",
                neighbour.captureAsE2b(source.id(), Map.of("name", "mine")));
        refused(409, "project_unnamed", neighbour.capture(source.id(), Map.of("name", "mine")));
        var unnamed = tenant.snapshot(source);
        assertThat(unnamed.names()).isEmpty();

        var before = "team-" + source.id();
        var after = "renamed-" + source.id();
        rename(neighbour, before);
        var named = tenant.snapshot(source, before + "/mine");
        assertThat(named.names()).containsExactly(before + "/mine:default");
        refused(
                400,
                "malformed_name",
                neighbour.captureAsE2b(source.id(), Map.of("name", project.slug() + "/mine")));

        rename(neighbour, after);
        assertThat(tenant.snapshots())
                .extracting(E2bClient.Snapshot::names)
                .containsExactly(List.of(after + "/mine:default"), List.of());
        refused(
                404,
                "snapshot_not_found",
                neighbour.post("/v2/sandboxes", Map.of("templateID", before + "/mine")));
        assertThat(tenant.deleteSnapshot(before + "/mine")).isFalse();
        var clone = tenant.create(after + "/mine", LIFE);
        assertThat(tenant.kill(clone.id())).isTrue();
        assertThat(tenant.kill(source.id())).isTrue();
        assertThat(tenant.deleteSnapshot(after + "/mine")).isTrue();
        assertThat(tenant.deleteSnapshot(unnamed.id())).isTrue();
    }

    private static CompletableFuture<HttpResponse<String>> capture(Sandbox source, String name) {
        return project.captureAsE2b(source.id(), Map.of("name", name));
    }

    private static void rename(Native neighbour, String slug) throws Exception {
        Native.update("update project set slug = ? where id = ?::uuid", slug, neighbour.project());
    }
}
