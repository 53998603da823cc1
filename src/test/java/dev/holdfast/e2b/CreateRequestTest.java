package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.e2b.CreateRequest.Dialect;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Opening;
import dev.holdfast.sandbox.AtTimeout;
import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.NetworkOverride;
import jakarta.json.Json;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CreateRequestTest {

    @Test
    void assumesWhatEachDialectAssumes() {
        Opening v1 = read("{'templateID':'base'}", Dialect.V1);
        Opening v2 = read("{'templateID':'base'}", Dialect.V2);

        assertThat(v1.lifetime()).isEqualTo(Duration.ofSeconds(15));
        assertThat(v1.secured()).contains(false);
        assertThat(v2.lifetime()).isEqualTo(Duration.ofSeconds(300));
        assertThat(v2.secured()).contains(true);
    }

    @Test
    @Tag("R148")
    void takesEmptyMapsForNoOverride() {
        Opening opening =
                read(
                        "{'templateID':'base','metadata':{},'envVars':{},'volumeMounts':[],"
                                + "'sandboxID':'','idleTimeout':null,'image':'','build':{},"
                                + "'functionConfig':null}",
                        Dialect.V1);

        assertThat(opening.metadata()).isEmpty();
        assertThat(opening.environment()).isEmpty();
        assertThat(opening.mounting().isEmpty()).isTrue();
        assertThat(opening.chosen()).isEmpty();
        assertThat(opening.idle()).isEmpty();
    }

    @Test
    void readsWhichVolumesAreMountedWhere() {
        Opening opening =
                read(
                        "{'templateID':'base','volumeMounts':[{'name':'a','path':'/mnt/a'},"
                                + "{'name':'b','path':'/mnt/b','readOnly':null}]}",
                        Dialect.V2);

        assertThat(opening.mounting().all())
                .extracting(wish -> wish.volume() + " " + wish.path())
                .containsExactly("a /mnt/a", "b /mnt/b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'templateID':''}",
                "{'templateID':7}",
                "[]",
                "{'templateID':'base','timeout':0}",
                "{'templateID':'base','volumeMounts':'a'}",
                "{'templateID':'base','volumeMounts':{'a':'/mnt/a'}}",
                "{'templateID':'base','volumeMounts':[{'name':'a'}]}",
                "{'templateID':'base','volumeMounts':[{'name':'a','path':'mnt'}]}",
                "{'templateID':'base','timeout':-5}",
                "{'templateID':'base','timeout':1.5}",
                "{'templateID':'base','timeout':'300'}",
                "{'templateID':'base','timeout':1e400}",
                "{'templateID':'base','secure':'yes'}",
                "{'templateID':'base','metadata':{'a':1}}",
                "{'templateID':'base','envVars':['a']}",
                "{'templateID':'base','network':3}",
                "{'templateID':'base','autoPause':'yes'}",
                "{'templateID':'base','autoResume':true}",
                "{'templateID':'base','autoPauseMemory':false}",
                "{'templateID':'base','autoPause':true,'autoPauseMemory':false,'autoResume':{'enabled':true}}",
                "{'templateID':'base','network':{'allowOut':'8.8.8.8'}}",
                "{'templateID':'base','network':{'denyOut':[8]}}",
                "{'templateID':'base','network':{'maskRequestHost':7}}",
                "{'templateID':'base','network':{'allowPublicTraffic':'no'}}",
                "{'templateID':'base','idleTimeout':0}",
                "{'templateID':'base','idleTimeout':'60'}",
                "{'templateID':'base','sandboxID':7}",
                "{'templateID':'base','sandboxID':'i'}",
                "{'templateID':'base','sandboxID':'x0123456789abcdefghij'}",
                "{'templateID':'base','sandboxID':'i0123456789ABCDEFGHIJ'}",
                "{'templateID':'base','sandboxID':'i0123456789abcdefghijk'}",
                "{'templateID':'base','metadata':{'a':'\\u0000'}}"
            })
    void refusesWrongMembers(String body) {
        assertThatThrownBy(() -> read(body, Dialect.V2))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem ->
                                assertThat(problem.reason()).isEqualTo(Reason.INVALID_PARAMETER));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mcp | {'templateID':'base','mcp':{'x':{}}}",
                "iam | {'templateID':'base','iam':{'tokens':{}}}",
                "egressProxy | {'templateID':'base','network':{'egressProxy':{'address':'x'}}}",
                "rules | {'templateID':'base','network':{'rules':{'a.example':[{}]}}}",
                "httpsPorts | {'templateID':'base','network':{'httpsPorts':[3000]}}",
                "dnsServers | {'templateID':'base','network':{'dnsServers':['1.1.1.1']}}"
            })
    void refusesByNameWhatItDoesNotDo(String name, String body) {
        assertThatThrownBy(() -> read(body, Dialect.V2))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> {
                            assertThat(problem.reason()).isEqualTo(Reason.UNSUPPORTED_PARAMETER);
                            assertThat(problem.getMessage()).contains(name);
                        });
    }

    @Test
    void readsAllOfTheNetwork() {
        Opening opening =
                read(
                        "{'templateID':'base','allow_internet_access':true,'network':{'allowOut':['a.example'],"
                                + "'denyOut':['0.0.0.0/0'],'allowPublicTraffic':false,'rules':{},"
                                + "'maskRequestHost':'localhost:${PORT}','egressProxy':null}}",
                        Dialect.V2);

        assertThat(opening.network())
                .isEqualTo(
                        new NetworkOverride(
                                Optional.of(true),
                                List.of("a.example"),
                                List.of("0.0.0.0/0"),
                                Optional.of(false),
                                Optional.of("localhost:${PORT}")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "KILL       | false | {'templateID':'base','autoPause':false}",
                "PAUSE      | false | {'templateID':'base','autoPause':true}",
                "PAUSE      | false | {'templateID':'base','autoPause':true,'autoPauseMemory':true}",
                "PAUSE_DISK | false | {'templateID':'base','autoPause':true,'autoPauseMemory':false}",
                "PAUSE      | true  | {'templateID':'base','autoPause':true,'autoResume':{'enabled':true}}"
            })
    @Tag("R147")
    void readsWhatBecomesOfItByItself(AtTimeout onTimeout, boolean autoResume, String body) {
        assertThat(read(body, Dialect.V2).lifecycle())
                .contains(new Lifecycle(onTimeout, autoResume));
    }

    @Test
    @Tag("R147")
    void overridesNothingThatItDoesNotName() {
        assertThat(read("{'templateID':'base'}", Dialect.V2).lifecycle()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"functionConfig", "build", "image"})
    @Tag("R150")
    @Tag("R151")
    void refusesWhatIsFixed(String name) {
        assertThatThrownBy(() -> read("{'templateID':'base','" + name + "':'x'}", Dialect.V2))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem ->
                                assertThat(problem.reason()).isEqualTo(Reason.OVERRIDE_FORBIDDEN));
    }

    private static Opening read(String body, Dialect dialect) {
        try (var reader = Json.createReader(new StringReader(body.replace('\'', '"')))) {
            JsonValue json = reader.readValue();
            return CreateRequest.read(json, dialect);
        }
    }
}
