package dev.holdfast.access;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who hands out rights by making or changing a key: nobody gives what they do not have, neither a
 * permission nor a longer time. Who administers the service may give every right in any project.
 *
 * @param expiresAt when the right to give ends; empty: not by itself
 */
public record Grantor(
        Principal principal, Set<Permission> permissions, Optional<Instant> expiresAt) {

    public Grantor {
        permissions = Set.copyOf(permissions);
    }

    /** The system itself, which may all. */
    static Grantor system() {
        return new Grantor(Principal.system(), Set.of(Permission.SERVICE_ADMIN), Optional.empty());
    }

    /** What a key of a project is given when its order does not say. */
    public Set<Permission> usual() {
        return grantable().stream()
                .filter(Permission.ofProject()::contains)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The terms as they may be: without an expiry they get the grantor's own.
     *
     * @throws Problem {@code permission_missing}, {@code invalid_parameter} for an expiry that is
     *     past, or later than the grantor's own
     */
    KeyTerms grant(KeyTerms asked, Instant now) {
        requirePermissions(asked.permissions());
        return new KeyTerms(asked.name(), asked.permissions(), requireTime(asked.expiresAt(), now));
    }

    /** The same of a change: what stays as it was is nobody's gift. */
    KeyTerms grant(KeyTerms before, KeyTerms asked, Instant now) {
        requirePermissions(
                asked.permissions().stream()
                        .filter(each -> !before.permissions().contains(each))
                        .collect(Collectors.toSet()));
        return asked.expiresAt().equals(before.expiresAt())
                ? asked
                : new KeyTerms(
                        asked.name(), asked.permissions(), requireTime(asked.expiresAt(), now));
    }

    private Optional<Instant> requireTime(Optional<Instant> asked, Instant now) {
        if (asked.filter(end -> !end.isAfter(now)).isPresent()) {
            throw invalid("A key's expiry lies in the future; revoke the key to be rid of it.");
        }
        if (expiresAt.isEmpty()) {
            return asked;
        }
        Instant own = expiresAt.get();
        if (asked.filter(end -> end.isAfter(own)).isPresent()) {
            throw invalid(
                    "A key that ends by itself makes none that lives longer: at most until "
                            + own
                            + ".");
        }
        return Optional.of(asked.orElse(own));
    }

    private Set<Permission> grantable() {
        return permissions.contains(Permission.SERVICE_ADMIN)
                ? EnumSet.allOf(Permission.class)
                : permissions;
    }

    private void requirePermissions(Set<Permission> asked) {
        String lacking =
                asked.stream()
                        .filter(each -> !grantable().contains(each))
                        .sorted()
                        .map(Permission::word)
                        .collect(Collectors.joining(", "));
        if (!lacking.isEmpty()) {
            throw new Problem(
                            Reason.PERMISSION_MISSING,
                            "A key gives no permission that it does not have itself: "
                                    + lacking
                                    + ". Leave it out, or ask somebody who has it.")
                    .with("permission", lacking);
        }
    }

    private static Problem invalid(String rule) {
        return Problem.invalid("expiresAt", rule);
    }
}
