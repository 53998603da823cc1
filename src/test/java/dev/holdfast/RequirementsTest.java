package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every requirement on the snapshot API and every failure of systems like this one has a test that
 * names it: a tag in Java, the title of a test in the programs on the SDKs. All of them run in the
 * same build, so a name stands for a test that passes.
 */
class RequirementsTest {

    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([RF]\\d+)\"\\)");
    private static final Pattern NODE = Pattern.compile("^test\\('([^']*)'", Pattern.MULTILINE);
    private static final Pattern PYTHON =
            Pattern.compile("^async def test_(\\w+)", Pattern.MULTILINE);
    private static final Pattern NUMBER =
            Pattern.compile("(?<![A-Za-z0-9])([RF]\\d+)(?![A-Za-z0-9])");

    private static Set<String> named;

    @BeforeAll
    static void readsTheTests() throws IOException {
        named = new TreeSet<>();
        try (var files = Files.walk(Path.of("src/test"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                named.addAll(namedIn(file));
            }
        }
    }

    @Test
    void everyRequirementOnTheSnapshotApiIsNamedByATest() {
        assertThat(named).containsAll(all("R", IntStream.rangeClosed(74, 168)));
    }

    /** The others are about what is seen in a browser. */
    @Test
    void everyRequirementOnTheServersSideOfTheInventoryIsNamedByATest() {
        var numbers =
                IntStream.of(
                        1, 2, 3, 4, 7, 8, 9, 10, 12, 14, 15, 16, 17, 18, 19, 20, 21, 24, 27, 28, 29,
                        30, 31, 32, 47, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 64, 65, 66,
                        67, 68, 69, 70);
        assertThat(named).containsAll(all("R", numbers));
    }

    @Test
    void everyFailureOfSystemsLikeThisIsNamedByATest() {
        assertThat(named).containsAll(all("F", IntStream.rangeClosed(1, 25)));
    }

    private static List<String> all(String letter, IntStream numbers) {
        return numbers.mapToObj(number -> letter + number).toList();
    }

    private static Set<String> namedIn(Path file) throws IOException {
        var name = file.getFileName().toString();
        var found = new TreeSet<String>();
        if (name.endsWith(".java")) {
            numbers(TAG, Files.readString(file), found);
        } else if (name.endsWith(".test.mjs")) {
            titles(NODE, Files.readString(file), found);
        } else if (name.startsWith("test_") && name.endsWith(".py")) {
            titles(PYTHON, Files.readString(file), found);
        }
        return found;
    }

    private static void titles(Pattern title, String program, Set<String> found) {
        title.matcher(program)
                .results()
                .forEach(each -> numbers(NUMBER, each.group(1).replace('_', ' '), found));
    }

    private static void numbers(Pattern number, String text, Set<String> found) {
        number.matcher(text).results().forEach(each -> found.add(each.group(1)));
    }
}
