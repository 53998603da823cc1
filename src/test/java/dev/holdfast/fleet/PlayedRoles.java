package dev.holdfast.fleet;

import java.util.List;

/** Roles without a configuration. */
public final class PlayedRoles {

    private PlayedRoles() {}

    public static Roles of(String... words) {
        Roles roles = new Roles();
        roles.named = List.of(words);
        roles.read();
        return roles;
    }
}
