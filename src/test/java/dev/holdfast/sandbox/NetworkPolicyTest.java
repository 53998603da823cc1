package dev.holdfast.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.json.Json;
import java.io.StringReader;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkPolicyTest {

    private static final String ALL = "0.0.0.0/0";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // allowOut | denyOut | internet | destination | allowed | reason
                "''|''|''|8.8.8.8|true|no entry denies it",
                "''|''|true|8.8.8.8|true|no entry denies it",
                "''|''|false|8.8.8.8|false|internet access is off",
                "''|8.8.8.0/24|''|8.8.8.8|false|denyOut has 8.8.8.0/24",
                "''|8.8.8.0/24|''|8.8.9.8|true|no entry denies it",
                "8.8.8.8|8.8.8.0/24|''|8.8.8.8|true|allowOut has 8.8.8.8",
                "8.8.8.8|8.8.8.0/24|''|8.8.8.9|false|denyOut has 8.8.8.0/24",
                "8.8.8.8|''|false|8.8.8.8|true|allowOut has 8.8.8.8",
                "8.8.8.8|''|false|1.1.1.1|false|internet access is off",
                "0.0.0.0/0|0.0.0.0/0|false|1.1.1.1|true|allowOut has 0.0.0.0/0",
                "a.example|0.0.0.0/0|''|a.example|true|allowOut has a.example",
                "a.example|0.0.0.0/0|''|A.Example|true|allowOut has a.example",
                "a.example|0.0.0.0/0|''|b.a.example|false|denyOut has 0.0.0.0/0",
                "*.a.example|0.0.0.0/0|''|c.b.a.example|true|allowOut has *.a.example",
                "*.a.example|0.0.0.0/0|''|a.example|false|denyOut has 0.0.0.0/0",
                "*.a.example|0.0.0.0/0|''|xa.example|false|denyOut has 0.0.0.0/0",
                "8.8.8.8/0|1.1.1.1|''|1.1.1.1|true|allowOut has 8.8.8.8/0",
            })
    void saysWhatMayBeReachedAndWhy(
            String allow, String deny, String internet, String to, boolean allowed, String reason) {
        NetworkPolicy policy =
                new NetworkPolicy(
                        internet.isEmpty()
                                ? Optional.empty()
                                : Optional.of(Boolean.valueOf(internet)),
                        list(allow),
                        list(deny),
                        true,
                        Optional.empty());

        assertThat(policy.verdict(to)).isEqualTo(new NetworkPolicy.Verdict(allowed, reason));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "*",
                "*.",
                "*.*.example",
                "a.*.example",
                "a..example",
                ".example",
                "example.",
                "-a.example",
                "a b.example",
                "ä.example",
                "a.example:443",
                "http://a.example",
                "1.2.3",
                "1.2.3.256",
                "1.2.3.4/33",
                "1.2.3.4/",
                "01.2.3.4",
                "1.2.3.4-1.2.3.9",
                "::1",
                "2001:db8::/32",
                "1:2"
            })
    void refusesAnAllowedEntryThatIsNoneAndNamesIt(String entry) {
        assertThatThrownBy(() -> lists(List.of("8.8.8.8", entry), List.of(ALL)))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> {
                            assertThat(problem.reason()).isEqualTo(Reason.INVALID_PARAMETER);
                            assertThat(problem).hasMessageContaining("network.allowOut");
                            assertThat(problem).hasMessageContaining(entry);
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.example",
                "*.a.example",
                "",
                "1.2.3.4/33",
                "1:2",
                "fe80::1%eth0",
                "::/129"
            })
    void refusesADeniedEntryThatIsNoAddress(String entry) {
        assertThatThrownBy(() -> lists(List.of(), List.of(entry)))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("network.denyOut")
                .hasMessageContaining(entry);
    }

    @Test
    void takesIpv6AsDeniedBecauseItIsClosedAnyway() {
        NetworkPolicy policy = lists(List.of(), List.of("::/0", "2001:db8::1", "8.8.8.8"));

        assertThat(policy.denied()).containsExactly(AddressRange.of("8.8.8.8").orElseThrow());
        assertThat(policy.isOpen()).isTrue();
    }

    @Test
    void namesNeedAllOtherTrafficDenied() {
        assertThatThrownBy(() -> lists(List.of("a.example"), List.of("10.0.0.0/8")))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("0.0.0.0/0")
                .hasMessageContaining("denyOut");
        assertThat(lists(List.of("A.example", "8.8.8.8"), List.of(ALL)).names())
                .containsExactly(new NamePattern("a.example"));
    }

    @Test
    void boundsCountAndLength() {
        assertThatThrownBy(() -> lists(Collections.nCopies(257, "8.8.8.8"), List.of()))
                .hasMessageContaining("256");
        assertThatThrownBy(() -> lists(List.of("a".repeat(300)), List.of(ALL)))
                .hasMessageContaining("255");
        assertThatThrownBy(() -> lists(List.of("a".repeat(64) + ".example"), List.of(ALL)))
                .isInstanceOf(Problem.class);
        assertThat(lists(Collections.nCopies(256, "8.8.8.8"), List.of()).allowed()).hasSize(256);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:${PORT},localhost:3000",
        "${PORT}-app.example.com,3000-app.example.com",
        "app.example.com,app.example.com",
        "app.example.com:80,app.example.com:80",
        "[::1]:${PORT},[::1]:3000"
    })
    void masksTheHost(String mask, String seen) {
        assertThat(masked(mask).requestHost(3000)).contains(seen);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b",
                "a\r\nX: y",
                "ä.example",
                "a/b",
                "a:b",
                "a:123456",
                ":80",
                "${port}",
                "a@b"
            })
    void refusesAMaskThatIsNoHost(String mask) {
        assertThatThrownBy(() -> masked(mask))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("network.maskRequestHost");
    }

    @Test
    @Tag("R147")
    void anOverrideReplacesWhatItSaysAndInheritsTheRest() {
        NetworkPolicy inherited =
                new NetworkPolicy(
                        Optional.of(false),
                        List.of("a.example"),
                        List.of(ALL),
                        false,
                        Optional.of("localhost:${PORT}"));

        assertThat(NetworkOverride.NONE.onto(inherited)).isEqualTo(inherited);
        assertThat(
                        new NetworkOverride(
                                        Optional.of(true),
                                        List.of(),
                                        List.of("8.8.8.8"),
                                        Optional.of(true),
                                        Optional.of(""))
                                .onto(inherited))
                .isEqualTo(
                        new NetworkPolicy(
                                Optional.of(true),
                                List.of(),
                                List.of("8.8.8.8"),
                                true,
                                Optional.of("localhost:${PORT}")));
    }

    @Test
    void anUpdateChangesWhatIsReachedAndNotWhoReaches() {
        NetworkPolicy before =
                masked("localhost").withEgressOf(lists(List.of("8.8.8.8"), List.of()));

        assertThat(before.withEgressOf(NetworkPolicy.DEFAULT)).isEqualTo(masked("localhost"));
    }

    @Test
    void isStoredAndReadBack() {
        NetworkPolicy policy =
                new NetworkPolicy(
                        Optional.of(false),
                        List.of("*.A.example", "8.8.8.0/24"),
                        List.of(ALL),
                        false,
                        Optional.of("localhost:${PORT}"));
        var converter = new NetworkPolicyConverter();

        for (NetworkPolicy each : List.of(policy, NetworkPolicy.DEFAULT)) {
            assertThat(converter.convertToEntityAttribute(converter.convertToDatabaseColumn(each)))
                    .isEqualTo(each);
        }
        assertThat(converter.convertToDatabaseColumn(NetworkPolicy.DEFAULT)).isEqualTo("{}");
    }

    @Test
    void readsTheMachineSettingsOfAnOlderManifest() {
        String machine = "{\"cpus\":2,\"publicTraffic\":false,\"internet\":false}";

        NetworkPolicy policy =
                NetworkPolicyConverter.policy(
                        Json.createReader(new StringReader(machine)).readObject());

        assertThat(policy.publicTraffic()).isFalse();
        assertThat(policy.internet()).contains(false);
    }

    @Test
    void saysItInWords() {
        assertThat(NetworkPolicy.DEFAULT.words()).isEqualTo("everything");
        assertThat(lists(List.of(), List.of("8.8.8.8")).words())
                .isEqualTo("everything but 8.8.8.8");
        assertThat(lists(List.of("a.example", "1.1.1.1"), List.of(ALL)).words())
                .isEqualTo("nothing but a.example, 1.1.1.1");
        assertThat(lists(List.of(), List.of(ALL)).words()).isEqualTo("nothing");
    }

    private static NetworkPolicy lists(List<String> allow, List<String> deny) {
        return new NetworkPolicy(Optional.empty(), allow, deny, true, Optional.empty());
    }

    private static NetworkPolicy masked(String mask) {
        return new NetworkPolicy(Optional.empty(), List.of(), List.of(), true, Optional.of(mask));
    }

    private static List<String> list(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }
}
