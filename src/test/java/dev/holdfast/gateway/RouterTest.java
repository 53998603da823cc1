package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sandbox.SandboxId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {

    @ParameterizedTest
    @CsvSource({
        "3000-iabc123.box.example, iabc123, 3000",
        "3000-iabc123.box.example:8443, iabc123, 3000",
        "3000-IABC123.Box.Example, iabc123, 3000",
        "49983-iabc123.localhost, iabc123, 49983",
        "49983-iabc123-6532622b.e2b.app, iabc123, 49983",
        "1-i-a-b-c.x, i, 1",
        "65535-i.anything.at.all, i, 65535",
        "00080-i.x, i, 80",
        "8080-i, i, 8080",
    })
    void readsPortAndSandboxFromTheHostName(String host, String sandbox, int port) {
        assertThat(decide(host, List.of(), List.of()))
                .isEqualTo(new Router.ToSandbox(new SandboxId(sandbox), port, Router.By.HOST));
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                "localhost:8080",
                "127.0.0.1:8080",
                "[::1]:8080",
                "api.box.example",
                "box.example",
                "-iabc.box.example",
                "3000-.box.example",
                "3000.iabc.box.example",
                "x3000-iabc.box.example",
                "api.3000-iabc.example",
                "3000_iabc.box.example",
                "3000-iäbc.box.example",
                ".3000-iabc",
            })
    void leavesEverythingElseToTheControlPlane(String host) {
        assertThat(decide(host, List.of(), List.of())).isEqualTo(new Router.ControlPlane());
    }

    @ParameterizedTest
    @CsvSource({
        "iabc, 49983, iabc, 49983",
        "iabc-6532622b, 49999, iabc, 49999",
        "' iabc ', ' 3000 ', iabc, 3000",
    })
    void believesTheHeadersOnAnyHost(String id, String port, String sandbox, int number) {
        for (String host : List.of("localhost", "8080-iother.box.example", "192.0.2.7:80")) {
            assertThat(decide(host, List.of(id), List.of(port)))
                    .isEqualTo(
                            new Router.ToSandbox(new SandboxId(sandbox), number, Router.By.HEADER));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', 49983",
        "IABC, 49983",
        "i/../x, 49983",
        "iabc, ''",
        "iabc, 0",
        "iabc, 65536",
        "iabc, -1",
        "iabc, +80",
        "iabc, 8o",
        "iabc, 99999999999999999999",
        "iabc, ٣٠٠٠",
    })
    void refusesMalformedHeaders(String id, String port) {
        assertThat(decide("localhost", List.of(id), List.of(port)))
                .isInstanceOf(Router.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0-iabc.x",
                "65536-iabc.x",
                "99999999999999999999999-iabc.x",
                "000-iabc.x",
            })
    void refusesImpossiblePortsInHostNames(String host) {
        assertThat(decide(host, List.of(), List.of())).isInstanceOf(Router.Refused.class);
    }

    @Test
    void refusesAnIdThatCannotBeOne() {
        assertThat(decide("80-" + "a".repeat(65) + ".x", List.of(), List.of()))
                .isInstanceOf(Router.Refused.class);
    }

    @Test
    void refusesASandboxWithoutAPort() {
        assertThat(decide("localhost", List.of("iabc"), List.of()))
                .isInstanceOf(Router.Refused.class);
    }

    @Test
    void refusesContradictions() {
        assertThat(decide("localhost", List.of("ia", "ib"), List.of("80")))
                .isInstanceOf(Router.Refused.class);
        assertThat(decide("localhost", List.of("ia"), List.of("80", "81")))
                .isInstanceOf(Router.Refused.class);
    }

    @Test
    void ignoresAPortHeaderAlone() {
        assertThat(decide("localhost", List.of(), List.of("80")))
                .isEqualTo(new Router.ControlPlane());
    }

    @Test
    void looksForTheSignerOnlyWhereNothingNamesASandbox() {
        SignedFile file = new SignedFile("a", "read", "", Optional.empty(), "v1_x");

        assertThat(Router.decide("localhost", List.of(), List.of(), Optional.of(file)))
                .isEqualTo(new Router.ToSigned(file));
        assertThat(Router.decide("49983-i1.x", List.of(), List.of(), Optional.of(file)))
                .isInstanceOf(Router.ToSandbox.class);
        assertThat(Router.decide("x", List.of("i1"), List.of("49983"), Optional.of(file)))
                .isInstanceOf(Router.ToSandbox.class);
    }

    private static Router.Decision decide(String host, List<String> ids, List<String> ports) {
        return Router.decide(host, ids, ports, Optional.empty());
    }
}
