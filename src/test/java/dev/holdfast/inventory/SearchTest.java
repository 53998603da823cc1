package dev.holdfast.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.access.Slug;
import dev.holdfast.problem.Problem;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R14")
@Tag("R15")
class SearchTest {

    private static final Optional<Slug> TEAM = Optional.of(new Slug("acme"));

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "ab", " ab ", "..", "\ud83d\ude00\ud83d\ude00"})
    void refusesWhatWouldFindEverything(String text) {
        assertThatThrownBy(() -> new Search(text))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("from 3 to 400")
                .hasMessageContaining("search");
    }

    @ParameterizedTest
    @CsvSource({
        "BUILD-7, build-7",
        "' 1B9D ', 1b9d",
        "acme/bui, ' bui'",
        "me/bui, ' bui'",
        "/bui, ' bui'",
        "acme/, ' '",
        "a:v, a:v"
    })
    void looksInIdsAndNames(String text, String part) {
        assertThat(new Search(text).within(TEAM)).contains(part);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"acm/bui", "other/bui", "a b c", "100%", "a\\b", "acme/b/c", "acme/b c"})
    void findsNothingByWhatIsInNoIdAndNoName(String text) {
        assertThat(new Search(text).within(TEAM)).isEmpty();
    }

    @Test
    void findsNothingByTheTeamOfAProjectWithoutSlug() {
        assertThat(new Search("acme/bui").within(Optional.empty())).isEmpty();
    }

    @Test
    void everyThreeCharactersHaveATrigramOfLettersAndDigits() {
        for (String text : new String[] {"---", "a-1", "._:", "z-z", "d-7"}) {
            assertThat(Search.encoded(text)).matches("[a-z0-9]{3,}");
        }
    }
}
