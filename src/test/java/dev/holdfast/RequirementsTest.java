package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Every requirement on the snapshot API has a test that names it: a tag in Java, the title of a
 * test in the programs on the SDKs. All of them run in the same build, so a name stands for a test
 * that passes.
 */
class RequirementsTest {

    private static final int FIRST = 74;
    private static final int LAST = 168;

    private static final Pattern TAG = Pattern.compile("@Tag\\(\"R(\\d+)\"\\)");
    private static final Pattern NODE = Pattern.compile("^test\\('([^']*)'", Pattern.MULTILINE);
    private static final Pattern PYTHON =
            Pattern.compile("^async def test_(\\w+)", Pattern.MULTILINE);
    private static final Pattern NUMBER = Pattern.compile("(?<![A-Za-z0-9])R(\\d+)(?![A-Za-z0-9])");

    @Test
    void everyRequirementOnTheSnapshotApiIsNamedByATest() throws IOException {
        var named = new TreeSet<Integer>();
        try (var files = Files.walk(Path.of("src/test"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                named.addAll(namedIn(file));
            }
        }
        assertThat(named).containsAll(IntStream.rangeClosed(FIRST, LAST).boxed().toList());
    }

    private static TreeSet<Integer> namedIn(Path file) throws IOException {
        var name = file.getFileName().toString();
        var named = new TreeSet<Integer>();
        if (name.endsWith(".java")) {
            numbers(TAG, Files.readString(file), named);
        } else if (name.endsWith(".test.mjs")) {
            titles(NODE, Files.readString(file), named);
        } else if (name.startsWith("test_") && name.endsWith(".py")) {
            titles(PYTHON, Files.readString(file), named);
        }
        return named;
    }

    private static void titles(Pattern title, String program, TreeSet<Integer> named) {
        title.matcher(program).results().forEach(found -> numbers(NUMBER, found.group(1), named));
    }

    private static void numbers(Pattern number, String text, TreeSet<Integer> named) {
        number.matcher(text)
                .results()
                .forEach(found -> named.add(Integer.parseInt(found.group(1))));
    }
}
