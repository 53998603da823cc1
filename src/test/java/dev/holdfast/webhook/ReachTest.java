package dev.holdfast.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.audit.AddressBlock;
import dev.holdfast.problem.Problem;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReachTest {
    private final Reach reach = new Reach(List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "127.0.0.1",
                "127.8.8.8",
                "10.1.2.3",
                "100.64.0.1",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "192.0.0.8",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "fc00::1",
                "fd12::1",
                "fe80::1",
                "fec0::1",
                "ff02::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::127.0.0.1",
                "64:ff9b::10.0.0.1",
                "64:ff9b::169.254.169.254",
                "2002:7f00:1::1",
                "2001::1"
            })
    void nothingGoesInside(String address) throws UnknownHostException {
        assertThat(reach.allows(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.8.8.8",
                "172.15.0.1",
                "172.32.0.1",
                "192.169.0.1",
                "100.128.0.1",
                "2606:4700::1111",
                "64:ff9b::8.8.8.8",
                "2002:808:808::1"
            })
    void everythingElseIsOutside(String address) throws UnknownHostException {
        assertThat(reach.allows(InetAddress.getByName(address))).isTrue();
    }

    @Test
    void theOperatorAllowsBlocksBesides() throws UnknownHostException {
        var wider = new Reach(AddressBlock.list("10.1.0.0/16, fd00::/8"));

        assertThat(wider.allows(InetAddress.getByName("10.1.255.1"))).isTrue();
        assertThat(wider.allows(InetAddress.getByName("fd00::1"))).isTrue();
        assertThat(wider.allows(InetAddress.getByName("10.2.0.1"))).isFalse();
        for (var wrong :
                List.of("example.com", "300.1.1.1", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/x")) {
            assertThatThrownBy(() -> AddressBlock.of(wrong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://example.com/",
                "https://",
                "/path",
                "https://user:secret@example.com/",
                "https://example.com/#part",
                "https://example.com:0/",
                "https://example.com:70000/",
                "https://exa mple.com/",
                "https://example.com/\r\nX: y"
            })
    void anAddressThatIsNoneIsRefused(String url) {
        assertThatThrownBy(() -> Destination.of(url)).isInstanceOf(Problem.class);
    }

    @Test
    void anAddressIsSentAsItIs() {
        var destination = Destination.of("https://example.com:8443/a%20b?c=d");

        assertThat(destination.target()).isEqualTo("/a%20b?c=d");
        assertThat(destination.authority()).isEqualTo("example.com:8443");
        assertThat(Destination.of("http://[2606:4700::1111]").host()).isEqualTo("2606:4700::1111");
        assertThat(Destination.of("https://example.com").port()).isEqualTo(443);
        assertThat(Destination.of("https://example.com").target()).isEqualTo("/");
    }
}
