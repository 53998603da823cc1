package dev.holdfast.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RoleTest {

    @Test
    void readsOneRoleOrBoth() {
        assertThat(Role.of("worker")).containsExactly(Role.WORKER);
        assertThat(Role.of("control")).containsExactly(Role.CONTROL);
        assertThat(Role.of("control,worker")).containsExactlyInAnyOrder(Role.CONTROL, Role.WORKER);
    }

    @Test
    void refusesWhatIsNoRoleInWords() {
        for (String none : new String[] {"control,wroker", "worker,control", "worker ", ""}) {
            assertThatThrownBy(() -> Role.of(none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"control,worker\", not \"" + none + "\"");
        }
    }
}
