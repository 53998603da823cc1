package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ApiKeyTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Principal ANNA = Principal.person("anna");
    private static final Grantor BY_ANNA =
            new Grantor(ANNA, Permission.ofProject(), Optional.empty());

    private final ProjectId project = ProjectId.fresh();
    private final KeySecret secret = KeySecret.random(new SecureRandom());
    private final KeyOrder order =
            KeyOrder.of(project, " build ", EnumSet.of(Permission.SANDBOXES_USE));

    @Test
    void remembersWhoMadeItAndForWhat() {
        var key = ApiKey.issue(secret, order, BY_ANNA, NOW);

        assertThat(key.project()).contains(project);
        assertThat(key.name()).isEqualTo("build");
        assertThat(key.permissions()).containsExactly(Permission.SANDBOXES_USE);
        assertThat(key.createdBy()).isEqualTo(ANNA);
        assertThat(key.expiresAt()).isEmpty();
        assertThat(key.masked()).isEqualTo(secret.toString());
    }

    @Test
    void expiresAtTheInstantAndNotBefore() {
        var key = ApiKey.issue(secret, order.lasting(Duration.ofHours(1)), BY_ANNA, NOW);
        var end = NOW.plus(Duration.ofHours(1));

        assertThat(key.isExpiredAt(end.minusNanos(1000))).isFalse();
        assertThat(key.isExpiredAt(end)).isTrue();
    }

    @Test
    void isRevokedOnceByTheFirst() {
        var key = ApiKey.issue(secret, order, BY_ANNA, NOW);

        key.revoke(ANNA, NOW);
        key.revoke(Principal.system(), NOW.plusSeconds(1));

        assertThat(key.isRevoked()).isTrue();
        assertThat(key.revokedAt()).contains(NOW);
        assertThat(key.revokedBy()).contains(ANNA);
    }

    @Test
    void comesBackOnlyIfTheSettingsMadeIt() {
        var issued = ApiKey.issue(secret, order, BY_ANNA, NOW);
        var bootstrap = ApiKey.bootstrap(secret, Optional.of(project), NOW);
        bootstrap.revoke(Principal.system(), NOW);

        assertThatThrownBy(issued::reinstate).isInstanceOf(IllegalStateException.class);
        bootstrap.reinstate();

        assertThat(bootstrap.isRevoked()).isFalse();
        assertThat(bootstrap.permissions()).isEqualTo(Permission.ofProject());
        assertThat(bootstrap.isBootstrap()).isTrue();
        assertThat(bootstrap.project()).contains(project);
        assertThat(issued.isBootstrap()).isFalse();
    }

    @Test
    void administersTheServiceIfTheSettingsSaySo() {
        var bootstrap = ApiKey.bootstrap(secret, Optional.empty(), NOW);

        assertThat(bootstrap.project()).isEmpty();
        assertThat(bootstrap.permissions()).containsExactly(Permission.SERVICE_ADMIN);
    }

    @Test
    void isNotOrderedForNothingOrByNobody() {
        var use = EnumSet.of(Permission.SANDBOXES_USE);

        assertThatThrownBy(() -> KeyOrder.of(project, " ", use)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> KeyOrder.of(project, "x".repeat(129), use))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> KeyOrder.of(project, "x", Set.of())).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> order.lasting(Duration.ZERO)).isInstanceOf(Problem.class);
    }

    @Test
    void keepsProjectsAndTheServiceApart() {
        assertThatThrownBy(() -> KeyOrder.of(project, "x", EnumSet.of(Permission.SERVICE_ADMIN)))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> KeyOrder.of(null, "x", EnumSet.of(Permission.SANDBOXES_USE)))
                .isInstanceOf(Problem.class);
        assertThat(KeyOrder.ofOperator("x").project()).isEmpty();
    }
}
