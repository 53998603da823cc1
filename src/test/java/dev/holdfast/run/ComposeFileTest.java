package dev.holdfast.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What no engine is needed for to see. */
class ComposeFileTest {

    private static final Set<String> NODES =
            Set.of("control-1", "control-2", "worker-1", "worker-2");
    private static final Set<String> CONDITIONS =
            Set.of("service_started", "service_healthy", "service_completed_successfully");

    private static ComposeFile compose;

    @BeforeAll
    static void reads() throws IOException {
        try (var servers = Files.newDirectoryStream(Path.of("target"), "wildfly-[0-9]*")) {
            compose = ComposeFile.read(servers.iterator().next());
        }
    }

    @Test
    void hasTheNodesAndWhatTheyStandOn() {
        assertThat(compose.services().keySet())
                .containsAll(NODES)
                .contains("database", "broker", "bucket", "proxy", "prepare");
        var names =
                NODES.stream()
                        .map(node -> compose.map(node, "environment").get("HOLDFAST_WORKER_ID"))
                        .toList();
        assertThat(names).doesNotHaveDuplicates().doesNotContainNull();
    }

    @Test
    void whatAServiceNamesIsThere() {
        for (var service : compose.services().keySet()) {
            compose.map(service, "depends_on")
                    .forEach(
                            (other, how) -> {
                                assertThat(compose.services()).as(service).containsKey(other);
                                assertThat(((Map<?, ?>) how).get("condition"))
                                        .as(service)
                                        .isIn(CONDITIONS);
                            });
            assertThat(compose.named("secrets").keySet())
                    .as(service)
                    .containsAll(compose.list(service, "secrets"));
            for (var volume : compose.list(service, "volumes")) {
                var source = volume.substring(0, volume.indexOf(':'));
                if (source.startsWith(".")) {
                    assertThat(Path.of("docker").resolve(source)).exists();
                } else if (!source.startsWith("/")) {
                    assertThat(compose.named("volumes")).as(service).containsKey(source);
                }
            }
        }
    }

    @Test
    void noSecretStandsInTheFileItself() {
        for (var node : NODES) {
            compose.map(node, "environment")
                    .forEach(
                            (name, value) -> {
                                assertThat(name).doesNotMatch("(?i).*(password|secret|api_key)");
                                if (name.endsWith("_FILE")) {
                                    assertThat(value.toString()).startsWith("/run/secrets/");
                                    assertThat(compose.list(node, "secrets"))
                                            .contains(value.toString().substring(13));
                                }
                            });
        }
    }

    @Test
    void onlyControlsHaveTheFirstKeys() {
        for (var node : NODES) {
            var control = node.startsWith("control");
            assertThat(compose.list(node, "secrets").containsAll(List.of("api-key", "admin-key")))
                    .as(node)
                    .isEqualTo(control);
            assertThat(compose.list(node, "secrets").toString().contains("key"))
                    .as(node)
                    .isEqualTo(control);
            assertThat(compose.map(node, "environment").toString().contains("BOOTSTRAP"))
                    .as(node)
                    .isEqualTo(control);
        }
    }

    @Test
    void onlyWorkersHaveAnythingThatAProgramHasNot() {
        for (var service : compose.services().keySet()) {
            var said = compose.services().get(service);
            assertThat(said).as(service).doesNotContainKeys("privileged", "pid", "network_mode");
            if (!service.startsWith("worker") && !service.equals("prepare")) {
                assertThat(said)
                        .as(service)
                        .doesNotContainKeys("cap_add", "devices", "cgroup", "device_cgroup_rules");
            }
        }
        for (var node : NODES) {
            assertThat(compose.services().get(node)).as(node).containsEntry("read_only", true);
            assertThat(compose.list(node, "cap_drop")).as(node).isEqualTo(List.of("ALL"));
            assertThat(compose.list(node, "security_opt")).contains("no-new-privileges:true");
        }
    }

    @Test
    void othersAreWaitedForUntilTheyAreHealthy() {
        assertThat(List.of("database", "broker", "bucket"))
                .allSatisfy(
                        engine -> {
                            assertThat(compose.services().get(engine)).containsKey("healthcheck");
                            for (var node : NODES) {
                                assertThat(compose.map(node, "depends_on")).containsKey(engine);
                            }
                        });
    }
}
