package dev.holdfast.e2b;

import dev.holdfast.run.Alone;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A published, unmodified package and the programs that use it, laid out beside the sources. */
public abstract class Sdk {

    private static final Path SOURCES = Path.of("src/test/sdk");
    private static final Path PLACES = Path.of("target/sdk");
    private static final Duration INSTALLING = Duration.ofMinutes(5);
    private static final Duration RUNNING = Duration.ofMinutes(30);

    private final String directory;
    private boolean installed;

    Sdk(String directory) {
        this.directory = directory;
    }

    /** The name of its directory, which begins the names of its programs. */
    final String directory() {
        return directory;
    }

    final Path source() {
        return SOURCES.resolve(directory);
    }

    /** What installing brings does not belong into the source tree. */
    final Path place() {
        return PLACES.resolve(directory);
    }

    static Path sources() {
        return SOURCES;
    }

    /** Its titles in the compatibility table: one, or one for each of its forms. */
    abstract List<String> titles() throws IOException;

    /** Its programs by their names below {@link #place()}, in order. */
    abstract List<String> programs() throws IOException;

    /** Whether it runs the programs of every area. */
    boolean isWhole() {
        return true;
    }

    /** What must be there before a program runs; once. */
    abstract void installOnce() throws Exception;

    /**
     * Runs a program to its end.
     *
     * @param report where the runner is to write what it found, as JUnit's XML
     * @return what the runner says of itself: 0 if all is well
     */
    abstract int run(String program, Path report, Path log) throws Exception;

    abstract SdkCase caseOf(String program, Element testcase) throws IOException;

    final synchronized void install() throws Exception {
        if (!installed) {
            installOnce();
            installed = true;
        }
    }

    static Document parse(Path report) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile());
    }

    final int execute(Path log, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        return execute(place(), RUNNING, log, environment, command);
    }

    static void installBy(Path place, String... command) throws IOException, InterruptedException {
        var log = place.resolve("install.log");
        if (execute(place, INSTALLING, log, Map.of(), command) != 0) {
            throw new IOException(String.join(" ", command) + " failed:\n" + read(log));
        }
    }

    public static int execute(
            Path place,
            Duration limit,
            Path log,
            Map<String, String> environment,
            String... command)
            throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(command)
                        .directory(place.toFile())
                        .redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        var process = builder.start();
        try {
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException(String.join(" ", command) + " runs longer than " + limit);
            }
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /**
     * A Python of its own with exactly what the place's requirements name; made when they changed.
     */
    public static void makePython(Path place) throws IOException, InterruptedException {
        try (var alone = alone(place)) {
            makePythonOnce(place);
        }
    }

    /** Programs of several classes use a place, and lanes lay it out at the same time. */
    static Alone alone(Path place) {
        return Alone.with(place.resolveSibling(place.getFileName() + ".lock"));
    }

    private static void makePythonOnce(Path place) throws IOException, InterruptedException {
        var lock = place.resolve("venv/.holdfast-lock");
        var wanted = Files.readString(place.resolve("requirements.txt"));
        if (Files.exists(lock) && Files.readString(lock).equals(wanted)) {
            return;
        }
        installBy(place, "python3", "-m", "venv", "--clear", "venv");
        installBy(
                place,
                "venv/bin/pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-compile",
                "--require-hashes",
                "--requirement",
                "requirements.txt");
        Files.writeString(lock, wanted);
    }

    /**
     * Without what a run by hand left in the source tree. What is there already stays as it is, and
     * what is not comes at once: others read it meanwhile.
     */
    public static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file : files.toList()) {
                var relative = from.relativize(file);
                var name = relative.toString();
                if (name.contains("node_modules") || name.contains("__pycache__")) {
                    continue;
                }
                var target = to.resolve(relative);
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else if (!Files.exists(target) || Files.mismatch(file, target) >= 0) {
                    replace(target, file);
                }
            }
        }
    }

    private static void replace(Path target, Path file) throws IOException {
        var draft =
                target.resolveSibling(target.getFileName() + "." + ProcessHandle.current().pid());
        Files.copy(file, draft, StandardCopyOption.REPLACE_EXISTING);
        Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    }

    /** A directory of files, if it is there. */
    static void delete(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            try (var files = Files.list(directory)) {
                for (var file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    public static String read(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "no output";
        } catch (IOException e) {
            return "no output: " + e.getMessage();
        }
    }
}
