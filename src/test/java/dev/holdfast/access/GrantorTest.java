package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class GrantorTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant END = NOW.plus(Duration.ofDays(1));

    private static Grantor grantor(Optional<Instant> end, Permission... permissions) {
        return new Grantor(Principal.person("anna"), Set.of(permissions), end);
    }

    private static KeyTerms terms(Optional<Instant> end, Permission... permissions) {
        return new KeyTerms("x", Set.of(permissions), end);
    }

    private static void assertRefused(ThrowingCallable call, Reason reason, String why) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Problem.class, p -> assertThat(p.reason()).isEqualTo(reason))
                .hasMessageContaining(why);
    }

    @Test
    void givesNoPermissionItDoesNotHave() {
        var admin = grantor(Optional.empty(), Permission.PROJECT_ADMIN);

        assertThat(admin.grant(terms(Optional.empty(), Permission.PROJECT_ADMIN), NOW)).isNotNull();
        assertRefused(
                () ->
                        admin.grant(
                                terms(
                                        Optional.empty(),
                                        Permission.PROJECT_ADMIN,
                                        Permission.SANDBOXES_MANAGE),
                                NOW),
                Reason.PERMISSION_MISSING,
                "sandboxes:manage");
        assertThat(admin.usual()).containsExactly(Permission.PROJECT_ADMIN);
    }

    @Test
    void givesEveryPermissionForTheService() {
        var service = grantor(Optional.empty(), Permission.SERVICE_ADMIN);
        var all = new KeyTerms("x", EnumSet.allOf(Permission.class), Optional.empty());

        assertThat(service.grant(all, NOW)).isEqualTo(all);
        assertThat(service.usual()).isEqualTo(Permission.ofProject());
    }

    @Test
    void givesNoLongerTimeThanItsOwn() {
        var mortal = grantor(Optional.of(END), Permission.PROJECT_ADMIN);

        assertThat(mortal.grant(terms(Optional.empty(), Permission.PROJECT_ADMIN), NOW).expiresAt())
                .contains(END);
        assertThat(mortal.grant(terms(Optional.of(END), Permission.PROJECT_ADMIN), NOW).expiresAt())
                .contains(END);
        assertRefused(
                () ->
                        mortal.grant(
                                terms(Optional.of(END.plusMillis(1)), Permission.PROJECT_ADMIN),
                                NOW),
                Reason.INVALID_PARAMETER,
                "at most until");
    }

    @Test
    void leavesWhatItDoesNotChangeAsItIsAlsoWhereItCouldNotGiveIt() {
        var mortal = grantor(Optional.of(END), Permission.PROJECT_ADMIN);
        var before = terms(Optional.empty(), Permission.PROJECT_ADMIN, Permission.SANDBOXES_MANAGE);
        var renamed = new KeyTerms("y", before.permissions(), Optional.empty());

        assertThat(mortal.grant(before, renamed, NOW)).isEqualTo(renamed);
        assertRefused(
                () -> mortal.grant(before, terms(Optional.empty(), Permission.SANDBOXES_USE), NOW),
                Reason.PERMISSION_MISSING,
                "sandboxes:use");
        assertRefused(
                () ->
                        mortal.grant(
                                before,
                                new KeyTerms("y", before.permissions(), Optional.of(NOW)),
                                NOW),
                Reason.INVALID_PARAMETER,
                "future");
    }

    @Test
    void makesNoKeyThatIsOverAlready() {
        var admin = grantor(Optional.empty(), Permission.PROJECT_ADMIN);

        assertRefused(
                () -> admin.grant(terms(Optional.of(NOW), Permission.PROJECT_ADMIN), NOW),
                Reason.INVALID_PARAMETER,
                "future");
    }
}
