package dev.holdfast.e2b;

import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.w3c.dom.Element;

/**
 * A package of npm. The programs of all areas are written once and laid beside each version; Node's
 * own runner runs them.
 */
final class NpmSdk extends Sdk {

    private static final String END = ".test.mjs";
    private static final String DIFFERS = "differs: ";

    /** The areas of one package alone. */
    private static final Set<String> OWN = Set.of("code-interpreter");

    private final String packageName;
    private final Set<String> areas;
    private final String tests;
    private final Supplier<Map<String, String>> environment;

    /**
     * @param areas the programs that run with it; all if empty
     */
    NpmSdk(
            String directory,
            String packageName,
            Set<String> areas,
            Supplier<Map<String, String>> environment) {
        this(directory, packageName, areas, ".", environment);
    }

    /**
     * @param tests an expression that the names of the tests that run have
     */
    NpmSdk(
            String directory,
            String packageName,
            Set<String> areas,
            String tests,
            Supplier<Map<String, String>> environment) {
        super(directory);
        this.packageName = packageName;
        this.areas = areas;
        this.tests = tests;
        this.environment = environment;
    }

    @Override
    List<String> titles() throws IOException {
        return List.of(title());
    }

    private String title() throws IOException {
        var lock = new JsonPath(Files.readString(source().resolve("package-lock.json")));
        return "npm `%s` %s"
                .formatted(
                        packageName,
                        lock.getString(
                                "packages.'node_modules/%s'.version".formatted(packageName)));
    }

    @Override
    boolean isWhole() {
        return areas.isEmpty();
    }

    @Override
    List<String> programs() throws IOException {
        var found = new ArrayList<String>();
        for (var program : list(source())) {
            found.add(program);
        }
        for (var program : list(sources().resolve("js"))) {
            if (areas.isEmpty() || areas.contains(area(program))) {
                found.add("js/" + program);
            }
        }
        return found;
    }

    private static List<String> list(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(END))
                    .sorted()
                    .toList();
        }
    }

    private static String area(String program) {
        return program.substring(program.lastIndexOf('/') + 1, program.length() - END.length());
    }

    @Override
    void installOnce() throws IOException, InterruptedException {
        Npm.install(source(), place());
        copy(sources().resolve("js"), place().resolve("js"));
    }

    @Override
    int run(String program, Path report, Path log) throws Exception {
        return execute(
                log,
                environment.get(),
                "node",
                "--test",
                "--test-reporter=spec",
                "--test-reporter-destination=stdout",
                "--test-reporter=junit",
                "--test-reporter-destination=" + report,
                "--test-name-pattern=" + tests,
                program);
    }

    @Override
    SdkCase caseOf(String program, Element testcase) throws IOException {
        var name = testcase.getAttribute("name");
        var failures = testcase.getElementsByTagName("failure");
        return new SdkCase(
                title(),
                Optional.of(area(program))
                        .filter(area -> program.startsWith("js/") || OWN.contains(area)),
                name,
                failures.getLength() == 0
                        ? Optional.empty()
                        : Optional.of(failures.item(0).getTextContent()),
                testcase.getElementsByTagName("skipped").getLength() > 0,
                name.startsWith(DIFFERS)
                        ? Optional.of(name.substring(DIFFERS.length()))
                        : Optional.empty());
    }
}
