package dev.holdfast.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which programs of Debian's are called, found where they are. A word in a script is taken for one
 * where it stands like a command and this machine, on which all of it runs, has a program so named.
 */
final class CalledPrograms {

    private static final Path MAIN = Path.of("src/main/java/dev/holdfast");
    private static final Path SANDBOX = Path.of("src/main/sandbox");

    /** The first word of a line that is run; of some the second is one too. */
    private static final Pattern IN_JAVA =
            Pattern.compile(
                    "(?:Command\\s*\\.(?:run|must|startSilent|start)\\(|new ProcessBuilder\\(|"
                            + "List\\.of\\(|\"-batch\"|\\),)\\s*\"(/?[a-z][a-z0-9./_-]*)\""
                            + "(?:,\\s*\"([a-z][a-z0-9_-]*)\")?");

    private static final Pattern KEYTOOL = Pattern.compile("\"bin\", \"([a-z]+)\"");

    private static final Pattern IN_SHELL =
            Pattern.compile(
                    "(?:^|[;|&({]|\\bexec|\\bif|\\bthen|\\bdo|\\belse|\\bwhile|!|\\bquietly|"
                            + "\\bpersistently|\\bnice|--fork|--kill-child|--mount-proc|[A-Z_]+=\\S*)"
                            + "\\s*([a-z][a-z0-9._-]*)(?=\\s|$|\\))");

    private CalledPrograms() {}

    /** By whatever node. */
    static Set<String> ofNodes() throws IOException {
        var found = new TreeSet<String>();
        inShell(Path.of("docker/entrypoint.sh"), found);
        inShell(Path.of("docker/health.sh"), found);
        KEYTOOL.matcher(Files.readString(MAIN.resolve("gateway/ServerCertificate.java")))
                .results()
                .map(match -> match.group(1))
                .forEach(found::add);
        return found;
    }

    /** By one that runs sandboxes: the rooms that start programs, and their scripts. */
    static Set<String> ofWorkers() throws IOException {
        var found = new TreeSet<String>();
        for (var room : List.of("runtime", "build", "volume", "peek")) {
            try (Stream<Path> sources = Files.walk(MAIN.resolve(room))) {
                for (var source :
                        sources.filter(each -> each.toString().endsWith(".java")).toList()) {
                    inJava(source, found);
                }
            }
        }
        try (Stream<Path> scripts = Files.walk(SANDBOX)) {
            for (var script :
                    scripts.filter(each -> each.toString().endsWith(".sh"))
                            // Runs in a template's own files.
                            .filter(each -> !each.endsWith("verify.sh"))
                            .toList()) {
                inShell(script, found);
            }
        }
        // Of the first generation, whose sandboxes run on hosts.
        found.removeAll(Set.of("runc", "perl"));
        // A template's own, and a word of a message.
        found.removeAll(Set.of("python3", "file"));
        return found;
    }

    private static void inJava(Path source, Set<String> found) throws IOException {
        IN_JAVA.matcher(Files.readString(source))
                .results()
                .flatMap(match -> Stream.of(match.group(1), match.group(2)))
                .filter(word -> word != null && isProgram(word))
                .forEach(found::add);
    }

    /** Of a word like exec the next one is a command again, so the search goes on at each. */
    private static void inShell(Path script, Set<String> found) throws IOException {
        for (var line : Files.readAllLines(script)) {
            var words = IN_SHELL.matcher(line.strip().startsWith("#") ? "" : " " + line);
            for (int at = 0; words.find(at); at = words.start(1)) {
                if (isProgram(words.group(1))) {
                    found.add(words.group(1));
                }
            }
        }
    }

    private static boolean isProgram(String word) {
        return word.startsWith("/")
                ? Files.isRegularFile(Path.of(word)) && Files.isExecutable(Path.of(word))
                : Stream.of("/usr/bin", "/usr/sbin", "/bin", "/sbin")
                        .map(place -> new File(place, word))
                        .anyMatch(File::canExecute);
    }
}
