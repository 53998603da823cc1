package dev.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.access.Permission;
import dev.holdfast.audit.Action;
import dev.holdfast.event.EventType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The pages have their own words for what the API names; none is forgotten. */
class WordsTest {

    private static final Path PAGES = Path.of("src/main/webapp/console");

    @Test
    void everyActionOfTheAuditHasWords() throws IOException {
        String words = Files.readString(PAGES.resolve("audit-words.js"));

        assertThat(Arrays.stream(Action.values()).map(Action::word))
                .allSatisfy(word -> assertThat(words).containsPattern("\\b" + word + "'?: '"));
    }

    @Test
    void everyTypeOfEventsHasWords() throws IOException {
        String words = Files.readString(PAGES.resolve("event-words.js"));

        assertThat(Arrays.stream(EventType.values()).map(EventType::word))
                .allSatisfy(word -> assertThat(words).contains("'" + word + "': '"));
    }

    @Test
    void everyPermissionSaysWhatItAllows() throws IOException {
        String words = Files.readString(PAGES.resolve("key-form.js"));

        assertThat(Arrays.stream(Permission.values()).map(Permission::word))
                .allSatisfy(word -> assertThat(words).contains("['" + word + "', '"));
    }
}
