package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class PermissionTest {
    private final PermissionsConverter converter = new PermissionsConverter();

    @Test
    void hasThePublishedWords() {
        assertThat(Arrays.stream(Permission.values()).map(Permission::word))
                .containsExactly(
                        "snapshots:read",
                        "sandboxes:use",
                        "sandboxes:manage",
                        "project:admin",
                        "service:admin");
    }

    @Test
    void isFoundByItsExactWordOnly() {
        assertThat(Permission.of("sandboxes:use")).contains(Permission.SANDBOXES_USE);
        assertThat(Permission.of("Sandboxes:use")).isEmpty();
        assertThat(Permission.of("SANDBOXES_USE")).isEmpty();
    }

    @Test
    void leavesTheServiceOutOfAProjectsPermissions() {
        assertThat(Permission.ofProject())
                .hasSize(Permission.values().length - 1)
                .doesNotContain(Permission.SERVICE_ADMIN);
    }

    @Test
    void isStoredAsWordsInOneOrder() {
        var some = EnumSet.of(Permission.SANDBOXES_USE, Permission.SNAPSHOTS_READ);

        assertThat(converter.convertToDatabaseColumn(some))
                .isEqualTo("snapshots:read sandboxes:use");
        assertThat(converter.convertToEntityAttribute("snapshots:read sandboxes:use"))
                .isEqualTo(some);
    }

    @Test
    void grantsNothingForAWordItDoesNotKnow() {
        assertThat(converter.convertToEntityAttribute("moon:land snapshots:read"))
                .containsExactly(Permission.SNAPSHOTS_READ);
    }
}
