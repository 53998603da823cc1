package dev.holdfast.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.HttpString;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HopsTest {

    private static final byte[] SECRET = new byte[32];
    private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

    private final Hops control = KnownHops.of(SECRET, "control-1", at(NOW));
    private final Hops worker = KnownHops.of(SECRET, "worker-2", at(NOW));

    @Test
    void opensWhatAnotherNodeHasSealedForThisOne() throws Exception {
        Hop hop = worker.opened(sealed("203.0.113.9"), "GET", "/files?path=a%20b").orElseThrow();

        assertThat(hop)
                .isEqualTo(
                        new Hop("control-1", NOW, InetAddress.getByName("203.0.113.9"), "https"));
    }

    @Test
    void carriesAnAddressOfVersionSix() throws Exception {
        Hop hop = worker.opened(sealed("2001:db8::7"), "GET", "/files?path=a%20b").orElseThrow();

        assertThat(hop.client()).isEqualTo(InetAddress.getByName("2001:db8::7"));
    }

    @Test
    void refusesAnotherTargetAndAnotherMethod() throws Exception {
        String header = sealed("203.0.113.9");

        assertThat(worker.opened(header, "GET", "/files?path=a%20c")).isEmpty();
        assertThat(worker.opened(header, "GET", "/files")).isEmpty();
        assertThat(worker.opened(header, "POST", "/files?path=a%20b")).isEmpty();
    }

    @Test
    void refusesWhatIsForAnotherNodeOrFromAnotherInstallation() throws Exception {
        String header = sealed("203.0.113.9");
        byte[] other = SECRET.clone();
        other[31]++;

        assertThat(opened(KnownHops.of(SECRET, "worker-3", at(NOW)), header)).isFalse();
        assertThat(opened(KnownHops.of(other, "worker-2", at(NOW)), header)).isFalse();
    }

    @Test
    void refusesWhatIsNotOfNow() throws Exception {
        String header = sealed("203.0.113.9");
        Duration within = Hops.WINDOW.minusSeconds(1);
        Duration beyond = Hops.WINDOW.plusSeconds(1);

        assertThat(opened(KnownHops.of(SECRET, "worker-2", at(NOW.plus(within))), header)).isTrue();
        assertThat(opened(KnownHops.of(SECRET, "worker-2", at(NOW.minus(within))), header))
                .isTrue();
        assertThat(opened(KnownHops.of(SECRET, "worker-2", at(NOW.plus(beyond))), header))
                .isFalse();
        assertThat(opened(KnownHops.of(SECRET, "worker-2", at(NOW.minus(beyond))), header))
                .isFalse();
    }

    @Test
    void refusesEveryByteThatWasChanged() throws Exception {
        String header = sealed("203.0.113.9");

        for (int i = 0; i < header.length(); i++) {
            char other = header.charAt(i) == '1' ? '2' : '1';
            String changed = header.substring(0, i) + other + header.substring(i + 1);
            assertThat(opened(worker, changed)).as(changed).isFalse();
            assertThat(opened(worker, header.substring(0, i))).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                ";;;;;",
                "1;control-1;1893553445;203.0.113.9;https",
                "1;control-1;1893553445;203.0.113.9;https;",
                "1;control-1;1893553445;example.com;https;AAAA",
                "1;control-1;1893553445;203.0.113.9;gopher;AAAA",
                "1;control-1;99999999999999999999;203.0.113.9;https;AAAA",
                "1;control-1;1893553445;999.0.113.9;https;AAAA",
            })
    void refusesWhatIsNoHeaderOfOurs(String header) {
        assertThat(opened(worker, header)).isFalse();
        assertThat(opened(worker, header + "x".repeat(100_000))).isFalse();
    }

    /** Whatever could be a name is none of ours, and no resolver is asked for it. */
    @ParameterizedTest
    @ValueSource(strings = {"face", "beef", "999.1.2.3", "256.1.2.3", "1.2.3", "example.com", ":g"})
    void readsAddressesOnly(String client) {
        assertThat(Hop.read("1;control-1;1893553445;" + client + ";https")).isEmpty();
        assertThat(Hop.read("1;control-1;1893553445;255.249.99.0;https")).isPresent();
    }

    private static boolean opened(Hops hops, String header) {
        return hops.opened(header, "GET", "/files?path=a%20b").isPresent();
    }

    private String sealed(String client) throws Exception {
        HttpServerExchange exchange = new HttpServerExchange(null);
        exchange.setRequestMethod(new HttpString("GET"));
        exchange.setRequestURI("/files");
        exchange.setQueryString("path=a%20b");
        exchange.setRequestScheme("https");
        exchange.setSourceAddress(new InetSocketAddress(InetAddress.getByName(client), 4711));
        return control.seal(exchange, "worker-2");
    }

    private static Clock at(Instant moment) {
        return Clock.fixed(moment, ZoneOffset.UTC);
    }
}
