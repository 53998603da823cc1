package dev.holdfast.openid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoleMappingTest {

    private static final RoleMapping NONE = RoleMapping.read("");

    private static final RoleMapping OURS =
            RoleMapping.read(
                    "engineers = team-a:snapshots:read, team-a:sandboxes:use ;"
                            + "cn=ops,ou=people=service:admin;;"
                            + "holdfast:legacy=team-b:project:admin");

    private static String rights(RoleMapping mapping, String... roles) {
        return mapping.of(List.of(roles)).rights().stream()
                .map(Right::toString)
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "holdfast:team-a:snapshots:read | team-a:snapshots:read",
                "holdfast:team-a:sandboxes:use | team-a:sandboxes:use",
                "holdfast:team_1:sandboxes:manage | team_1:sandboxes:manage",
                "holdfast:team-a:project:admin | team-a:project:admin",
                "holdfast:service:admin | service:admin",
                // A project may be called so.
                "holdfast:service:snapshots:read | service:snapshots:read",
                "holdfast:0b8c5c0e-0000-4000-8000-000000000000:snapshots:read"
                        + " | 0b8c5c0e-0000-4000-8000-000000000000:snapshots:read",
            })
    void aRoleThatNamesItsRightGivesIt(String role, String right) {
        assertThat(rights(NONE, role)).isEqualTo(right);
        assertThat(NONE.of(List.of(role)).idle()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "holdfast:",
                "holdfast:snapshots:read",
                "holdfast::snapshots:read",
                "holdfast:team-a",
                "holdfast:team-a:",
                "holdfast:team-a:snapshots",
                "holdfast:team-a:snapshots:write",
                "holdfast:team-a:Snapshots:Read",
                "holdfast:team-a:snapshots:read ",
                // The service's right is no project's.
                "holdfast:team-a:service:admin",
                "HOLDFAST:team-a:snapshots:read",
                "xholdfast:team-a:snapshots:read",
                "team-a:snapshots:read",
                "service:admin",
                "engineers",
            })
    void everyOtherRoleGivesNothingAndIsNoError(String role) {
        assertThat(rights(NONE, role)).isEmpty();
        assertThat(NONE.of(List.of(role)).idle()).containsExactly(role);
    }

    @Test
    void theOperatorsRolesGiveWhatIsWrittenBesideThem() {
        assertThat(rights(OURS, "engineers"))
                .isEqualTo("team-a:snapshots:read team-a:sandboxes:use");
        assertThat(rights(OURS, "cn=ops,ou=people")).isEqualTo("service:admin");
        assertThat(rights(OURS, "holdfast:legacy")).isEqualTo("team-b:project:admin");
        assertThat(rights(OURS, "Engineers", "engineers ")).isEmpty();
    }

    @Test
    void rolesAddUpAndThoseWithoutMeaningAreTold() {
        var meaning =
                OURS.of(
                        List.of(
                                "engineers",
                                "everybody",
                                "holdfast:team-a:snapshots:read",
                                "holdfast:team-b:snapshots:read"));
        assertThat(meaning.rights())
                .extracting(Right::toString)
                .containsExactly(
                        "team-a:snapshots:read", "team-a:sandboxes:use", "team-b:snapshots:read");
        assertThat(meaning.idle()).containsExactly("everybody");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "engineers | engineers",
                "=team-a:snapshots:read | =team-a:snapshots:read",
                "engineers= | where it says ''",
                "engineers=team-a | where it says 'team-a'",
                "engineers=team-a:snapshots:read,x | where it says 'x'",
                "a=service:admin;b=team-a:service:admin | b=team-a:service:admin",
                "a=service:admin;a=t:snapshots:read | a=t:snapshots:read",
            })
    void aMalformedSettingIsRefusedWithTheEntry(String setting, String named) {
        assertThatThrownBy(() -> RoleMapping.read(setting))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HOLDFAST_OPENID_ROLES")
                .hasMessageContaining(named);
    }
}
