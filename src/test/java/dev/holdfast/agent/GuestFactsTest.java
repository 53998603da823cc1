package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonStructure;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is kept of what a sandbox says of itself. */
class GuestFactsTest {

    private static final int MOST = 10_000;

    @Test
    void cutsWhatIsTooLong() {
        var long1 = "x".repeat(500_000);
        var facts =
                GuestFacts.of(
                        lines(
                                Stream.of(
                                        fact("process", long1)
                                                .add("env", Json.createArrayBuilder().add(long1)),
                                        fact("package", long1).add("version", long1))),
                        MOST);
        assertThat(facts.processes().get(0).command()).hasSize(1024);
        assertThat(facts.environment().first()).hasSize(256);
        assertThat(facts.packages().firstKey()).hasSize(256);
        assertThat(facts.packages().get(facts.packages().firstKey())).hasSize(256);
    }

    @Test
    void holdsNoMoreThanIsAllowed() {
        var name = "x".repeat(300);
        var endless =
                lines(
                        IntStream.range(0, 100_000)
                                .mapToObj(i -> fact("package", i + name).add("version", name)));
        assertThatThrownBy(() -> GuestFacts.of(endless, MOST)).isInstanceOf(AgentException.class);
    }

    private static JsonObjectBuilder fact(String kind, String value) {
        return Json.createObjectBuilder().add(kind, value);
    }

    private static Supplier<Optional<JsonStructure>> lines(Stream<JsonObjectBuilder> facts) {
        var all = Stream.concat(facts, Stream.of(fact("end", ""))).iterator();
        return () -> all.hasNext() ? Optional.of(all.next().build()) : Optional.empty();
    }
}
