package dev.holdfast.openid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimsTest {

    private static String token(String payload) {
        return "e30."
                + Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(payload.getBytes(StandardCharsets.UTF_8))
                + ".c2ln";
    }

    private static Claims claims(String more) {
        return Claims.of(token("{\"sub\":\"s-1\",\"exp\":1893456000" + more + "}"));
    }

    @Test
    void saysWhoItIsAndUntilWhen() {
        var claims = claims(",\"name\":\"Zoë Example\"");
        assertThat(claims.subject()).isEqualTo("s-1");
        assertThat(claims.name()).isEqualTo("Zoë Example");
        assertThat(claims.endsAt()).isEqualTo(Instant.parse("2030-01-01T00:00:00Z"));
        assertThat(claims.toString()).doesNotContain("Zoë");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | s-1",
                "`,\"name\":\" \",\"preferred_username\":\"zoe\"` | zoe",
                "`,\"email\":\"z@example.org\"` | z@example.org",
                "`,\"name\":7,\"email\":\"z@example.org\"` | z@example.org",
                "`,\"name\":\" a\\u0000\\nb \"` | a  b",
            })
    void findsANameForPeople(String more, String name) {
        assertThat(claims(more).name()).isEqualTo(name);
    }

    @Test
    void aNameIsNotLongerThanItMayBe() {
        assertThat(claims(",\"name\":\"" + "𝒵".repeat(200) + "\"").name())
                .isEqualTo("𝒵".repeat(128));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`,\"roles\":[\"a\",\"b\",\"a\"]` | roles | a b",
                "`,\"roles\":\"a b\"` | roles | a b",
                "`,\"roles\":[1,null,{\"x\":1},\"a\"]` | roles | a",
                "`,\"roles\":{\"a\":1}` | roles | ``",
                "`` | roles | ``",
                "`,\"realm_access\":{\"roles\":[\"a\"]}` | realm_access.roles | a",
                "`,\"realm_access\":[\"a\"]` | realm_access.roles | ``",
                "`,\"https://example.org/roles\":[\"a\"]` | https://example.org/roles | a",
                "`,\"a.b\":[\"whole\"],\"a\":{\"b\":[\"inner\"]}` | a.b | whole",
            })
    void readsRolesFromTheClaimThatIsSaid(String more, String claim, String roles) {
        assertThat(String.join(" ", claims(more).roles(claim))).isEqualTo(roles);
    }

    @Test
    void readsNoMoreRolesThanAreWorthIt() {
        var many = ",\"roles\":[" + "\"x%d\",".repeat(1).formatted(0);
        var text = new StringBuilder(many);
        for (int i = 1; i < 3000; i++) {
            text.append("\"x").append(i).append("\",");
        }
        assertThat(claims(text.append("\"end\"]").toString()).roles("roles")).hasSize(1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a.b.c.d", "e30.e30.x", "e30.W10.x", "e30.!.x"})
    void refusesWhatIsNoToken(String text) {
        assertThatThrownBy(() -> Claims.of(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesASubjectThatCanStandOnNoRowAndAnEndThatIsNone() {
        for (String payload :
                List.of(
                        "{\"exp\":1}",
                        "{\"sub\":\"\",\"exp\":1}",
                        "{\"sub\":7,\"exp\":1}",
                        "{\"sub\":\"a\\u0000\",\"exp\":1}",
                        "{\"sub\":\"" + "a".repeat(256) + "\",\"exp\":1}",
                        "{\"sub\":\"a\"}",
                        "{\"sub\":\"a\",\"exp\":\"1\"}")) {
            assertThatThrownBy(() -> Claims.of(token(payload)))
                    .as(payload)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
