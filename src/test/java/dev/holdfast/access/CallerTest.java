package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CallerTest {
    private final ProjectId project = ProjectId.fresh();
    private final Caller caller = new Caller();

    private static void assertRefused(ThrowingCallable call, Reason reason, String why) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Problem.class, p -> assertThat(p.reason()).isEqualTo(reason))
                .hasMessageContaining(why);
    }

    private static ApiKey key(KeyOrder order) {
        return ApiKey.issue(
                KeySecret.random(new SecureRandom()), order, Grantor.system(), Instant.EPOCH);
    }

    @Test
    void isNobodyAtFirstAndSaysWhy() {
        assertThat(caller.isSignedIn()).isFalse();
        assertRefused(caller::principal, Reason.UNAUTHENTICATED, "No API key");
        assertRefused(caller::project, Reason.UNAUTHENTICATED, "No API key");

        caller.refuse(Recognition.expired());

        assertRefused(
                () -> caller.require(Permission.SNAPSHOTS_READ), Reason.UNAUTHENTICATED, "expired");
    }

    @Test
    void isItsKeyWithItsPermissionsAndNoOthers() {
        var key = key(KeyOrder.of(project, "x", EnumSet.of(Permission.SANDBOXES_USE)));

        caller.accept(key);

        assertThat(caller.project()).isEqualTo(project);
        assertThat(caller.principal()).isEqualTo(Principal.key(key.id()));
        caller.require(Permission.SANDBOXES_USE);
        assertRefused(
                () -> caller.require(Permission.SANDBOXES_MANAGE),
                Reason.PERMISSION_MISSING,
                "sandboxes:manage");
    }

    @Test
    void hasNoProjectAsAnOperator() {
        caller.accept(key(KeyOrder.ofOperator("ops")));

        assertRefused(caller::project, Reason.PERMISSION_MISSING, "no project");
    }

    @Test
    void isAPersonWithWhatTheyMayWhereTheyAsk() {
        var person =
                new Person(
                        "anna",
                        "Anna Example",
                        Optional.of(project),
                        Set.of(Permission.PROJECT_ADMIN),
                        Instant.EPOCH);

        caller.accept(person);

        assertThat(caller.key()).isEmpty();
        assertThat(caller.project()).isEqualTo(project);
        assertThat(caller.principal().text()).isEqualTo("person:anna");
        caller.require(Permission.PROJECT_ADMIN);
        // What they give does not end with their sign-in.
        assertThat(caller.grantor().expiresAt()).isEmpty();
    }
}
