package dev.holdfast.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R75")
class GenerationsTest {

    @Test
    void theFirstIsRefusedUntilItIsTurnedOn() {
        var generations = new Generations();

        assertThat(generations.offered()).containsExactly(2);
        generations.require(2);
        assertThatThrownBy(() -> generations.require(1))
                .hasMessageContaining("holdfast.runtime.generation1")
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem ->
                                assertThat(problem.reason())
                                        .isEqualTo(Reason.GENERATION_UNSUPPORTED));
        generations.first = true;
        generations.require(1);
        assertThat(generations.offered()).containsExactly(1, 2);
    }

    @Test
    void isOffByDefault() throws IOException {
        assertThat(
                        Files.readString(
                                Path.of(
                                        "src/main/resources/META-INF/microprofile-config.properties")))
                .contains("holdfast.runtime.generation1=${HOLDFAST_GENERATION_1:false}");
    }
}
