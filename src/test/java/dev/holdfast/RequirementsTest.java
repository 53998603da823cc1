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
 * Every requirement and every failure of systems like this one has a test that names it: a tag in
 * Java, the title of a test in the programs on the SDKs and in the browser. All of them run in the
 * same build, so a name stands for a test that passes.
 */
class RequirementsTest {

    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([RF]\\d+a?)\"\\)");
    private static final Pattern NODE =
            Pattern.compile("^(?:test|consoleTest|browserTest)\\(\\s*'([^']*)'", Pattern.MULTILINE);
    private static final Pattern PROGRAM = Pattern.compile("\"(\\w+\\.test\\.mjs)\"");
    private static final Pattern PYTHON =
            Pattern.compile("^async def test_(\\w+)", Pattern.MULTILINE);
    private static final Pattern NUMBER =
            Pattern.compile("(?<![A-Za-z0-9])([RF]\\d+a?)(?![A-Za-z0-9])");

    private static final String BROWSER = "src/test/browser";

    /** Those that show in the browser. */
    private static final int[] SEEN = {
        1, 2, 5, 6, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 30, 31, 32,
        33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 44, 45, 46, 47, 48, 49, 50, 51, 54, 55, 58, 59, 61,
        62, 63, 64, 65, 66, 71, 72, 73
    };

    private static Set<String> named;

    @BeforeAll
    static void readsTheTests() throws IOException {
        named = namedBelow(Path.of("src/test"));
    }

    @Test
    void everyRequirementOnTheSnapshotApiIsNamedByATest() {
        assertThat(named).containsAll(all("R", IntStream.rangeClosed(74, 168)));
    }

    @Test
    void everyRequirementOnTheServersSideOfTheInventoryIsNamedByATest() {
        var numbers =
                IntStream.of(
                        1, 2, 3, 4, 7, 8, 9, 10, 12, 14, 15, 16, 17, 18, 19, 20, 21, 24, 27, 28, 29,
                        30, 31, 32, 47, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 64, 65, 66,
                        67, 68, 69, 70);
        assertThat(named).containsAll(all("R", numbers));
    }

    /** Also the worked check, and what is refused for another runtime. */
    @Test
    void everyRequirementThatShowsInTheBrowserIsNamedByATestInOne() throws IOException {
        var titles = namedBelow(Path.of(BROWSER));
        assertThat(titles).containsAll(all("R", IntStream.of(SEEN)));
        assertThat(titles).contains("R60a", "R70");
    }

    /** What a program is tagged with where it is run is what its tests name. */
    @Test
    void everyTestInTheBrowserNamesWhatItsProgramNames() throws IOException {
        try (var files = Files.list(Path.of("src/test/java/dev/holdfast/browser"))) {
            for (var file : files.toList()) {
                var text = Files.readString(file);
                var program = PROGRAM.matcher(text);
                if (program.find()) {
                    var tags = new TreeSet<String>();
                    numbers(TAG, text, tags);
                    var titles = namedIn(Path.of(BROWSER, program.group(1)));
                    assertThat(tags).as(file.toString()).containsAll(titles);
                }
            }
        }
    }

    @Test
    void everyFailureOfSystemsLikeThisIsNamedByATest() {
        assertThat(named).containsAll(all("F", IntStream.rangeClosed(1, 25)));
    }

    private static List<String> all(String letter, IntStream numbers) {
        return numbers.mapToObj(number -> letter + number).toList();
    }

    private static Set<String> namedBelow(Path place) throws IOException {
        var found = new TreeSet<String>();
        try (var files = Files.walk(place)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                found.addAll(namedIn(file));
            }
        }
        return found;
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
