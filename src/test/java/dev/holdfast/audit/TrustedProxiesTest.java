package dev.holdfast.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {

    @Test
    void believesNobodyWhereNobodyIsTrusted() {
        assertThat(TrustedProxies.read("").origin("10.0.0.1", "203.0.113.9")).isEqualTo("10.0.0.1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.1.2.3    |                                  | 10.1.2.3",
                "10.1.2.3    | 203.0.113.9                      | 203.0.113.9",
                "203.0.113.9 | 198.51.100.7                     | 203.0.113.9",
                "10.1.2.3    | 6.6.6.6, 203.0.113.9             | 203.0.113.9",
                "10.1.2.3    | 6.6.6.6, 203.0.113.9 , 10.9.9.9  | 203.0.113.9",
                "10.1.2.3    | localhost                        | 10.1.2.3",
                "10.1.2.3    | 203.0.113.9, <script>            | 10.1.2.3",
                "10.1.2.3    | 999.1.1.1                        | 10.1.2.3",
                "::1         | 2001:db8::7                      | 2001:db8::7",
                "10.1.2.3    | ''                               | 10.1.2.3",
                "10.1.2.3    | 10.0.0.7                         | 10.0.0.7",
            })
    void takesTheLastAddressThatNoTrustedProxyHas(String peer, String forwarded, String origin) {
        assertThat(TrustedProxies.read("10.0.0.0/8, ::1").origin(peer, forwarded))
                .isEqualTo(origin);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.1.2.3    | https       | true",
                "10.1.2.3    | ' HTTPS '   | true",
                "10.1.2.3    | https, http | true",
                "10.1.2.3    | http        | false",
                "10.1.2.3    | http, https | false",
                "10.1.2.3    | httpsx      | false",
                "10.1.2.3    | ''          | false",
                "10.1.2.3    |             | false",
                "203.0.113.9 | https       | false",
                "::1         | https       | true",
            })
    void takesNobodysWordForTlsButATrustedProxys(String peer, String proto, boolean tls) {
        assertThat(TrustedProxies.read("10.0.0.0/8, ::1").isTls(peer, proto)).isEqualTo(tls);
        assertThat(TrustedProxies.read("").isTls(peer, proto)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "proxy.example",
                "300.1.1.1",
                "10.0.0.0/33",
                "10.0.0.0/x",
                "10.0.0.0/8/8",
                "/8"
            })
    void refusesSettingsThatAreNoAddresses(String list) {
        assertThatThrownBy(() -> TrustedProxies.read(list))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
