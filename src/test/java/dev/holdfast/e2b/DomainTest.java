package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DomainTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "'', 8443, none",
                "'  ', 443, none",
                "box.example, 8443, box.example:8443",
                "box.example, 443, box.example",
                "box.example:443, 8443, box.example",
                "box.example:9443, 8443, box.example:9443"
            })
    @Tag("R124")
    void tellsThePortWhereItIsNotTheUsualOne(String configured, int port, String told) {
        assertThat(Domain.told(configured, port)).isEqualTo(told);
    }
}
