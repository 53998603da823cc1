package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GrantsTest {

    private static final ProjectId FIRST = ProjectId.fresh();
    private static final ProjectId SECOND = ProjectId.fresh();
    private static final ProjectId OTHER = ProjectId.fresh();

    private static Grants grants(boolean service) {
        var projects = new LinkedHashMap<ProjectId, Set<Permission>>();
        projects.put(FIRST, EnumSet.of(Permission.SNAPSHOTS_READ));
        projects.put(SECOND, EnumSet.of(Permission.SANDBOXES_USE, Permission.PROJECT_ADMIN));
        return new Grants(projects, service);
    }

    @Test
    void giveInEachProjectWhatTheyGiveThereAndNowhereMore() {
        assertThat(grants(false).in(Optional.of(FIRST))).containsExactly(Permission.SNAPSHOTS_READ);
        assertThat(grants(false).in(Optional.of(SECOND)))
                .containsExactly(Permission.SANDBOXES_USE, Permission.PROJECT_ADMIN);
        assertThat(grants(false).in(Optional.of(OTHER))).isEmpty();
        assertThat(grants(false).in(Optional.empty())).isEmpty();
        assertThat(grants(true).in(Optional.of(FIRST)))
                .containsExactly(Permission.SNAPSHOTS_READ, Permission.SERVICE_ADMIN);
        assertThat(grants(true).in(Optional.of(OTHER))).containsExactly(Permission.SERVICE_ADMIN);
        assertThat(grants(false).anywhere())
                .containsExactly(
                        Permission.SNAPSHOTS_READ,
                        Permission.SANDBOXES_USE,
                        Permission.PROJECT_ADMIN);
        assertThat(grants(true).anywhere()).hasSize(4).contains(Permission.SERVICE_ADMIN);
    }

    @Test
    void takeTheProjectThatIsMeantIfItIsTheirs() {
        assertThat(grants(false).chosen(Optional.of(SECOND))).contains(SECOND);
        assertThat(grants(false).chosen(Optional.of(OTHER))).contains(FIRST);
        assertThat(grants(false).chosen(Optional.empty())).contains(FIRST);
        assertThat(grants(true).chosen(Optional.of(SECOND))).contains(SECOND);
        assertThat(grants(true).chosen(Optional.of(OTHER))).isEmpty();
    }

    @Test
    void areReadAsTheyWereWritten() {
        var converter = new GrantsConverter();
        for (Grants each : new Grants[] {grants(false), grants(true), new Grants(Map.of(), true)}) {
            var text = converter.convertToDatabaseColumn(each);
            assertThat(converter.convertToEntityAttribute(text)).isEqualTo(each);
        }
        assertThat(converter.convertToDatabaseColumn(grants(true)))
                .isEqualTo(
                        "service\n%s snapshots:read\n%s sandboxes:use project:admin"
                                .formatted(FIRST, SECOND));
        assertThat(converter.convertToDatabaseColumn(null)).isNull();
        assertThat(converter.convertToEntityAttribute(null)).isNull();
    }

    @Test
    void aWordOfANewerBuildGivesNothing() {
        var read =
                new GrantsConverter()
                        .convertToEntityAttribute(
                                FIRST + " planets:move\n" + SECOND + " snapshots:read moons:move");
        assertThat(read.projects()).isEqualTo(Map.of(SECOND, Set.of(Permission.SNAPSHOTS_READ)));
    }

    @Test
    void areNotTheServicesInAProjectAndNotForNothing() {
        for (Set<Permission> wrong :
                Set.of(Set.<Permission>of(), Set.of(Permission.SERVICE_ADMIN))) {
            assertThatThrownBy(() -> new Grants(Map.of(FIRST, wrong), false))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
