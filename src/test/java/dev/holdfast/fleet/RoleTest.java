package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoleTest {

    @Test
    void readsOneRoleOrBoth() {
        assertThat(Role.of(List.of("worker"))).containsExactly(Role.WORKER);
        assertThat(Role.of(List.of("worker", " control")))
                .containsExactlyInAnyOrder(Role.CONTROL, Role.WORKER);
    }

    @Test
    void refusesWhatIsNoRoleInWords() {
        assertThatThrownBy(() -> Role.of(List.of("control", "wroker")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"wroker\"")
                .hasMessageContaining("control, worker");
        assertThatThrownBy(() -> Role.of(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holdfast.roles");
    }
}
