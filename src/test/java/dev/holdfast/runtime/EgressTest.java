package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.runtime.Egress.Range;
import java.util.List;
import org.junit.jupiter.api.Test;

class EgressTest {

    @Test
    void blocksThatOverlapOrTouchBecomeOne() {
        var egress =
                new Egress(
                        true,
                        List.of(),
                        List.of(
                                new Range(20, 30),
                                new Range(1, 10),
                                new Range(5, 7),
                                new Range(11, 12),
                                new Range(20, 30)),
                        List.of());
        assertThat(egress.deny()).containsExactly(new Range(1, 12), new Range(20, 30));
        assertThat(egress.deny()).hasToString("[0.0.0.1-0.0.0.12, 0.0.0.20-0.0.0.30]");
        assertThat(new Range(0xffffffffL, 0xffffffffL)).hasToString("255.255.255.255");
    }

    @Test
    void whatIsNoNameNeverBecomesAWordOfACommand() {
        for (String name :
                List.of("", "*", "a b", "a/b", "-x", "a\n", "A.example", "a#b", "*.*.x")) {
            assertThatThrownBy(() -> new Egress(false, List.of(), List.of(), List.of(name)))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new Egress(true, List.of(), List.of(), List.of("a.example")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNameThatStandsAloneShutsWhatIsBelowIt() {
        assertThat(Forwarder.only(List.of("a.example"), "10.0.0.1", "inet#t#s"))
                .containsExactly(
                        "--no-resolv",
                        "--cache-size=0",
                        "--max-ttl=300",
                        "--address=/#/",
                        "--address=/*.a.example/",
                        "--server=/a.example/10.0.0.1",
                        "--nftset=/a.example/4#inet#t#s");
    }

    @Test
    void aPatternOpensWhatIsBelowAndANameBesideItTheRest() {
        assertThat(
                        Forwarder.only(
                                List.of("*.a.example", "a.example", "b.a.example"),
                                "u",
                                "inet#t#s"))
                .contains("--server=/*.a.example/u", "--server=/a.example/u")
                .contains("--nftset=/a.example/a.example/4#inet#t#s")
                .noneMatch(word -> word.startsWith("--address=/*"))
                .noneMatch(word -> word.contains("/b.a.example/"));
    }
}
