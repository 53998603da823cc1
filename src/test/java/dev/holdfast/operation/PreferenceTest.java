package dev.holdfast.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PreferenceTest {

    private static final Duration MOST = Duration.ofSeconds(280);

    @Test
    void waitsAsLongAsTheServerDoesWhenNothingIsPreferred() {
        for (List<String> nothing :
                List.of(List.<String>of(), List.of(""), List.of("handling=lenient"))) {
            Preference none = Preference.of(nothing);
            assertThat(none.async()).isFalse();
            assertThat(none.patience(MOST)).isEqualTo(MOST);
            assertThat(none.applied(false)).isEmpty();
        }
        assertThat(Preference.of(null)).isEqualTo(new Preference(false, Optional.empty()));
    }

    @Test
    void answersAtOnceWhenThatIsPreferred() {
        Preference async = Preference.of(List.of("Respond-Async"));

        assertThat(async.patience(MOST)).isZero();
        assertThat(async.applied(true)).contains("respond-async");
        assertThat(async.applied(false)).as("it was done before").isEmpty();
    }

    @Test
    void takesBothInOneHeaderOrInTwoAndNeverWaitsLongerThanTheServer() {
        for (List<String> both :
                List.of(
                        List.of("respond-async, wait=10"),
                        List.of("wait = \"10\"", "respond-async; foo=bar"))) {
            Preference preference = Preference.of(both);
            assertThat(preference.async()).isTrue();
            assertThat(preference.patience(MOST)).isEqualTo(Duration.ofSeconds(10));
            assertThat(preference.applied(true)).contains("respond-async, wait=10");
        }
        assertThat(Preference.of(List.of("wait=999999999")).patience(MOST)).isEqualTo(MOST);
    }

    @Test
    void ignoresWhatItDoesNotUnderstand() {
        for (String odd :
                List.of("wait", "wait=", "wait=-1", "wait=1.5", "wait=9999999999", ",;,=")) {
            assertThat(Preference.of(List.of(odd)).waiting()).as(odd).isEmpty();
        }
        assertThat(Preference.of(List.of("wait=5, wait=7")).waiting())
                .as("the first counts")
                .contains(Duration.ofSeconds(5));
    }
}
