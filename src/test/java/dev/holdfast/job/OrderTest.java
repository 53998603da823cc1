package dev.holdfast.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OrderTest {

    private static final Path JOBS = Path.of("src/main/resources/META-INF/batch-jobs");

    @Test
    void takesWhatIsGivenAndElseWhatIsPreset() {
        var none = new Order(Job.EXPIRE_SNAPSHOTS, Map.of());
        assertThat(none.olderThan()).isZero();
        assertThat(none.project()).isEmpty();
        assertThat(none.isDry()).isFalse();
        var some =
                new Order(
                        Job.EXPIRE_SNAPSHOTS,
                        Map.of(
                                "olderThan", "3600",
                                "dryRun", "true",
                                "project", "00000000-0000-4000-8000-000000000001"));
        assertThat(some.olderThan()).isEqualTo(Duration.ofHours(1));
        assertThat(some.isDry()).isTrue();
        assertThat(some.project()).isPresent();
        assertThat(new Order(Job.VERIFY_PARTS, Map.of("unread", "PT1M")).duration("unread"))
                .contains(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @CsvSource({
        "dryRun, yes",
        "dryRun, TRUE",
        "olderThan, P1M",
        "olderThan, -1",
        "olderThan, PT-5S",
        "olderThan, 9999999999",
        "project, default",
        "project, 1-1-1-1-1",
        "chunkSize, 0",
        "chunkSize, 1001",
        "chunkSize, 1e2",
        "chunk, 1"
    })
    void refusesWhatIsWrongAndSaysWhatIsAllowed(String name, String text) {
        assertThatThrownBy(() -> new Order(Job.EXPIRE_SNAPSHOTS, Map.of(name, text)))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.members()).containsEntry("parameter", name))
                .hasMessageContaining(name);
    }

    @Test
    void leavesWhatTheRepositoryAddsAside() {
        var properties = new Properties();
        properties.setProperty("jberet.restart.mode", "force");
        properties.setProperty("dryRun", "true");
        assertThat(Order.of(Job.SWEEP_ORPHANS, properties).given())
                .isEqualTo(Map.of("dryRun", "true"));
    }

    @ParameterizedTest
    @EnumSource
    void everyJobHasItsFileThatChecksParametersFirst(Job job) throws IOException {
        var file = Files.readString(JOBS.resolve(job.id() + ".xml"));
        assertThat(file).contains("<job id=\"" + job.id() + "\"", "ref=\"runListener\"");
        job.parameter("chunkSize")
                .ifPresent(
                        size ->
                                assertThat(file)
                                        .contains(
                                                "['chunkSize']}?:"
                                                        + size.presetting().orElseThrow()
                                                        + ";"));
    }

    @Test
    void everyFileIsAJob() throws IOException {
        try (var files = Files.list(JOBS)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            Arrays.stream(Job.values()).map(job -> job.id() + ".xml").toList());
        }
    }

    @Test
    void thePageForTheAdministratorNamesEveryJobAndParameter() throws IOException {
        var readme = Files.readString(Path.of("README.md"));
        var page = readme.substring(readme.indexOf("## For the batch administrator"));
        for (Job job : Job.values()) {
            assertThat(page).contains("job-xml-name=" + job.id(), "`" + job.id() + "`");
            for (var parameter : job.parameters()) {
                assertThat(page).contains("`" + parameter.name() + "`");
            }
        }
    }
}
