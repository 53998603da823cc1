package dev.holdfast.access;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.enterprise.context.RequestScoped;
import java.util.Optional;
import java.util.Set;

/**
 * Whose request this is. Filled by the mechanism before any resource runs; not there in listeners,
 * timers and threads of their own, which are told the principal instead.
 */
@RequestScoped
public class Caller {
    private Identity identity;
    private Recognition.Refused refusal = Recognition.missing();

    void accept(Identity accepted) {
        identity = accepted;
    }

    void refuse(Recognition.Refused refused) {
        refusal = refused;
    }

    public boolean isSignedIn() {
        return identity != null;
    }

    /**
     * @throws Problem {@code unauthenticated}, saying what was wrong with the key
     */
    public Principal principal() {
        return identity().principal();
    }

    /**
     * @throws Problem if nobody is signed in, or an operator whose key belongs to no project
     */
    public ProjectId project() {
        return identity()
                .project()
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.PERMISSION_MISSING,
                                        "This key belongs to no project. Use a key of the project"
                                                + " it is about."));
    }

    /**
     * @throws Problem {@code unauthenticated}, saying what was wrong with the key
     */
    public Identity identity() {
        requireSignedIn();
        return identity;
    }

    /** The key that was shown; empty for a person. */
    public Optional<ApiKey> key() {
        return identity instanceof ApiKey key ? Optional.of(key) : Optional.empty();
    }

    public Set<Permission> permissions() {
        return identity == null ? Set.of() : identity.permissions();
    }

    public boolean isOfService() {
        return permissions().contains(Permission.SERVICE_ADMIN);
    }

    /** What they may hand out to others; a person's right to give does not end with a sign-in. */
    public Grantor grantor() {
        return new Grantor(principal(), permissions(), key().flatMap(ApiKey::expiresAt));
    }

    /** The same as a value that outlives the request. */
    public Actor actor() {
        return new Actor(project(), principal(), permissions());
    }

    /**
     * @throws Problem {@code permission_missing}, naming it
     */
    public void require(Permission permission) {
        requireSignedIn();
        if (!permissions().contains(permission)) {
            throw lacking(permission.word());
        }
    }

    void requireSignedIn() {
        if (!isSignedIn()) {
            throw new Problem(refusal.reason(), refusal.why());
        }
    }

    static Problem lacking(String permission) {
        return new Problem(
                        Reason.PERMISSION_MISSING,
                        "This needs the permission %s, which your key does not have."
                                .formatted(permission))
                .with("permission", permission);
    }
}
