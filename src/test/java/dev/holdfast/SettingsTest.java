package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.job.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README's table of settings and what is read, by the names of environment variables. */
class SettingsTest {

    private static final Path MAIN = Path.of("src/main/java");

    /** What is injected, and what is asked for by its name. */
    private static final Pattern READ =
            Pattern.compile(
                    "(?:@ConfigProperty\\(\\s*name =|setting\\(\\s*config,|getOptionalValue\\()"
                            + "\\s*\"(holdfast\\.[a-z0-9.-]+[a-z0-9])\"");

    private static final Pattern PREFIX =
            Pattern.compile("(?:PREFIX|KEYS) = \"(holdfast\\.[a-z0-9.]+\\.)\"");
    private static final Pattern PREFIXED =
            Pattern.compile("(?:PREFIX \\+ |KEYS \\+ |setting\\(config, )\"([a-z0-9-]+)\"");
    private static final Pattern VARIABLE =
            Pattern.compile("HOLDFAST_[A-Z0-9_]*[A-Z0-9](?![A-Z0-9_])");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[A-Z0-9_]+`[^|]*) \\|");
    private static final Pattern WORD = Pattern.compile("`([A-Z0-9_]+)`");

    /** Besides the WAR: what shapes and starts the server reads the environment itself. */
    private static final List<String> ELSEWHERE =
            List.of(
                    "wildfly-config/configure.cli",
                    "wildfly-config/remote-broker.cli",
                    "src/main/openid/WEB-INF/oidc.json",
                    "src/main/resources/META-INF/microprofile-config.properties",
                    "src/main/sandbox/prepare-host.sh",
                    "src/main/java/dev/holdfast/gateway/ServerCertificate.java",
                    "src/main/java/dev/holdfast/telemetry/LogFormat.java",
                    "src/test/java/dev/holdfast/run/LocalServer.java",
                    "src/test/java/dev/holdfast/run/LocalWildFly.java");

    private static final List<String> CONTAINERS =
            List.of(
                    "docker/compose.yaml",
                    "docker/Dockerfile",
                    "docker/entrypoint.sh",
                    "docker/health.sh");

    /** By the library that speaks to buckets. */
    private static final Set<String> OF_LIBRARIES =
            Set.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN");

    /** Read, and nobody's to set. */
    private static final Set<String> OWN =
            Set.of(
                    // The host's preparation finds its own files.
                    "HOLDFAST_AGENT_DIR",
                    // HOLDFAST_GENERATION_1 for the server; the host's preparation reads that too.
                    "HOLDFAST_RUNTIME_GENERATION1");

    @Test
    void readmeNamesEverySettingThatIsReadAndNoOther() throws IOException {
        var read = new TreeSet<>(read());
        var documented = documented(read);

        assertThat(read).as("what is found in the code").hasSizeGreaterThan(80);
        assertThat(read.stream().filter(name -> !documented.contains(name) && !OWN.contains(name)))
                .as("read, and not in the README's table of settings")
                .isEmpty();
        assertThat(documented.stream().filter(name -> !read.contains(name)))
                .as("in the README's table of settings, and read by nobody")
                .isEmpty();
    }

    /** A secret's file has the name of its setting and one word more. */
    @Test
    void containersAreGivenNothingThatIsNoSetting() throws IOException {
        var read = read();
        for (var file : CONTAINERS) {
            assertThat(VARIABLE.matcher(Files.readString(Path.of(file))).results())
                    .as(file)
                    .map(found -> found.group().replaceFirst("_FILE$", ""))
                    .isNotEmpty()
                    .isSubsetOf(read);
        }
    }

    private static Set<String> read() throws IOException {
        var found = new TreeSet<>(OF_LIBRARIES);
        try (var sources = Files.walk(MAIN)) {
            for (var source : sources.filter(each -> each.toString().endsWith(".java")).toList()) {
                var text = Files.readString(source);
                all(READ, text).map(SettingsTest::variable).forEach(found::add);
                all(PREFIX, text)
                        .flatMap(prefix -> all(PREFIXED, text).map(name -> prefix + name))
                        .map(SettingsTest::variable)
                        .forEach(found::add);
            }
        }
        for (var other : ELSEWHERE) {
            VARIABLE.matcher(Files.readString(Path.of(other)))
                    .results()
                    .map(MatchResult::group)
                    .forEach(found::add);
        }
        Arrays.stream(Job.values())
                .map(job -> variable("holdfast.expiry." + job.id()))
                .forEach(found::add);
        return found;
    }

    /** A word that begins with _ goes on where the first of its row has such a place. */
    private static Set<String> documented(Set<String> read) throws IOException {
        var readme = Files.readString(Path.of("README.md"));
        var table =
                readme.substring(
                        readme.indexOf("\n## Settings\n"), readme.indexOf("\n## For operators\n"));
        return all(ROW, table)
                .flatMap(
                        row -> {
                            var words = all(WORD, row).toList();
                            return words.stream().map(word -> whole(words.get(0), word, read));
                        })
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String whole(String first, String word, Set<String> read) {
        if (!word.startsWith("_")) {
            return word;
        }
        for (int end = first.lastIndexOf('_'); end > 0; end = first.lastIndexOf('_', end - 1)) {
            if (read.contains(first.substring(0, end) + word)) {
                return first.substring(0, end) + word;
            }
        }
        return first + " ... " + word;
    }

    private static Stream<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1));
    }

    /** As MicroProfile Config looks a property up in the environment. */
    private static String variable(String property) {
        return property.replaceAll("[^a-zA-Z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
