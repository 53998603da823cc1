package dev.holdfast.role;

/** Roles without a configuration. */
public final class PlayedRoles {

    private PlayedRoles() {}

    public static Roles of(String... words) {
        Roles roles = new Roles();
        roles.named = String.join(",", words);
        roles.read();
        return roles;
    }
}
