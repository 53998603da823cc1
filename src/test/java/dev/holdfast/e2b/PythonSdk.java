package dev.holdfast.e2b;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/**
 * The package of PyPI in an environment of its own, with its two faces: each test runs with both,
 * or, where there is no time for that, every other one with the one and the rest with the other.
 */
final class PythonSdk extends Sdk {

    private static final Pattern PINNED = Pattern.compile("(?m)^e2b==([0-9.]+)");
    private static final Pattern FACE = Pattern.compile("\\[(sync|async)\\b");

    private final boolean both;
    private final Supplier<Map<String, String>> environment;

    PythonSdk(String directory, boolean both, Supplier<Map<String, String>> environment) {
        super(directory);
        this.both = both;
        this.environment = environment;
    }

    @Override
    List<String> titles() throws IOException {
        return List.of(title("sync"), title("async"));
    }

    @Override
    boolean isWhole() {
        return both;
    }

    private String title(String face) throws IOException {
        var pins = PINNED.matcher(Files.readString(source().resolve("requirements.txt")));
        if (!pins.find()) {
            throw new IOException("requirements.txt does not pin e2b");
        }
        return "PyPI `e2b` %s, %s".formatted(pins.group(1), face);
    }

    @Override
    List<String> programs() throws IOException {
        try (var files = Files.list(source())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("test_") && name.endsWith(".py"))
                    .sorted()
                    .toList();
        }
    }

    private static String area(String program) {
        return program.substring("test_".length(), program.length() - ".py".length())
                .replace('_', '-');
    }

    @Override
    void installOnce() throws IOException, InterruptedException {
        copy(source(), place());
        makePython(place());
    }

    @Override
    int run(String program, Path report, Path log) throws Exception {
        return execute(
                log,
                environment.get(),
                "venv/bin/python",
                "-m",
                "pytest",
                "--junit-xml=" + report,
                program);
    }

    @Override
    SdkCase caseOf(String program, Element testcase) throws IOException {
        var name = testcase.getAttribute("name");
        var face = FACE.matcher(name);
        return new SdkCase(
                title(face.find() ? face.group(1) : "sync"),
                Optional.of(area(program)),
                name,
                text(testcase, "failure").or(() -> text(testcase, "error")),
                testcase.getElementsByTagName("skipped").getLength() > 0,
                differs(testcase));
    }

    private static Optional<String> text(Element testcase, String tag) {
        var found = testcase.getElementsByTagName(tag);
        return found.getLength() == 0
                ? Optional.empty()
                : Optional.of(found.item(0).getTextContent());
    }

    private static Optional<String> differs(Element testcase) {
        var properties = testcase.getElementsByTagName("property");
        for (int i = 0; i < properties.getLength(); i++) {
            var property = (Element) properties.item(i);
            if (property.getAttribute("name").equals("differs")) {
                return Optional.of(property.getAttribute("value"));
            }
        }
        return Optional.empty();
    }
}
