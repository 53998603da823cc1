package dev.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.event.EventType;
import dev.holdfast.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What holds the console's files and the server together, without a server. */
class ConsoleTest {

    private static final Path FILES = Path.of("src/main/webapp/console");

    private static String read(String name) throws IOException {
        return Files.readString(FILES.resolve(name));
    }

    @Test
    void theImportMapHasTheVersionsOfThePom() throws IOException {
        var pom = Files.readString(Path.of("pom.xml"));
        Map<String, String> inPom = new TreeMap<>();
        Pattern.compile(
                        "<groupId>org\\.(?:webjars|mvnpm)[^<]*</groupId>\\s*<artifactId>([^<]+)"
                                + "</artifactId>\\s*<version>(?:\\$\\{)?([^}<]+)}?</version>")
                .matcher(pom)
                .results()
                .forEach(
                        found ->
                                inPom.put(
                                        found.group(1),
                                        // Itself, if it names no property.
                                        pom.contains("<" + found.group(2) + ">")
                                                ? pom.replaceAll(
                                                        "(?s).*<" + found.group(2) + ">([^<]+)<.*",
                                                        "$1")
                                                : found.group(2)));
        Map<String, String> inMap = new TreeMap<>();
        Pattern.compile("/console/lib/([^/]+)/([^/]+)/")
                .matcher(read("index.html"))
                .results()
                .forEach(found -> inMap.put(found.group(1), found.group(2)));

        assertThat(inMap).isNotEmpty().isEqualTo(inPom);
    }

    @Test
    void thePageListensToEveryTypeOfEvent() throws IOException {
        var list = read("live.js");
        list = list.substring(list.indexOf("const TYPES"), list.indexOf(".flatMap"));
        var known = new TreeSet<String>();
        Pattern.compile("(\\w+): '([^']*)'")
                .matcher(list)
                .results()
                .forEach(
                        found ->
                                Arrays.stream(found.group(2).split(" "))
                                        .forEach(what -> known.add(found.group(1) + "." + what)));

        assertThat(known)
                .isEqualTo(
                        new TreeSet<>(
                                Arrays.stream(EventType.values()).map(EventType::word).toList()));
    }

    @Test
    void nothingInThePagesComesFromElsewhereOrIsInline() throws IOException {
        try (var files = Files.list(FILES)) {
            assertThat(files.filter(Files::isRegularFile).toList())
                    .isNotEmpty()
                    .allSatisfy(
                            file ->
                                    assertThat(
                                                    Files.readString(file)
                                                            .replace(
                                                                    "http://www.w3.org/2000/svg",
                                                                    ""))
                                            .as(file.toString())
                                            .doesNotContain("http://", " style=\"", "<style")
                                            .doesNotContainPattern(
                                                    "(src|href|from) ?=? ?[\"']https:"));
        }
    }

    @Test
    void aSecretReadsItselfAndShowsItself() {
        var secret = SignInSecret.random(new SecureRandom());
        assertThat(SignInSecret.read(secret.value())).contains(secret);
        assertThat(secret.toString()).doesNotContain(secret.value());
        assertThat(secret.isToken(secret.token())).isTrue();
        assertThat(secret.isToken(SignInSecret.random(new SecureRandom()).token())).isFalse();
        assertThat(secret.isToken(null)).isFalse();
        assertThat(secret.token()).isNotEqualTo(secret.value());
        for (var wrong :
                List.of("", "x", secret.value() + "x", secret.value().replace('A', ' ') + " ")) {
            assertThat(SignInSecret.read(wrong)).isEmpty();
        }
    }

    @Test
    void attemptsAreBoundedForEachAddressAndForAllThatAreTooMany() {
        var attempts = new Attempts();
        attempts.config = new ConsoleConfig();
        attempts.config.attempts = 3;
        for (int i = 0; i < 3; i++) {
            attempts.begin("192.0.2.1", 0);
        }
        assertThatThrownBy(() -> attempts.begin("192.0.2.1", 1)).isInstanceOf(Problem.class);
        attempts.succeeded("192.0.2.1");
        attempts.begin("192.0.2.1", 2);
        attempts.begin("192.0.2.2", 2);
        attempts.begin("192.0.2.1", Duration.ofMinutes(2).toNanos());

        // Ten thousand addresses later nobody new has a count of their own.
        long later = Duration.ofMinutes(10).toNanos();
        for (int i = 0; i < 20_000; i++) {
            try {
                attempts.begin("10.1.%d.%d".formatted(i / 250, i % 250), later);
            } catch (Problem full) {
                assertThat(i).isGreaterThan(9_000);
            }
        }
        assertThatThrownBy(() -> attempts.begin("198.51.100.9", later)).isInstanceOf(Problem.class);
    }
}
