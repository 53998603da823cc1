package dev.holdfast.openid;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What roles give: one that begins with {@code holdfast:} names its right itself, the others those
 * that the operator has written beside it.
 *
 * <pre>{@code
 * holdfast:team-a:sandboxes:use                  a role of the provider
 * engineers=team-a:snapshots:read,team-a:sandboxes:use;operators=service:admin      the setting
 * }</pre>
 *
 * @param named the operator's
 */
record RoleMapping(Map<String, Set<Right>> named) {

    static final String PREFIX = "holdfast:";

    /**
     * What some roles come to.
     *
     * @param idle those that say nothing here
     */
    record Meaning(Set<Right> rights, List<String> idle) {

        Meaning {
            rights = Collections.unmodifiableSet(new LinkedHashSet<>(rights));
            idle = List.copyOf(idle);
        }
    }

    RoleMapping {
        named = Map.copyOf(named);
    }

    /**
     * Reads the setting.
     *
     * @throws IllegalArgumentException saying what is malformed
     */
    static RoleMapping read(String setting) {
        var named = new LinkedHashMap<String, Set<Right>>();
        for (String entry : setting.split(";")) {
            if (!entry.isBlank()) {
                int equals = entry.lastIndexOf('=');
                String role = entry.substring(0, Math.max(equals, 0)).strip();
                if (role.isEmpty() || named.put(role, rights(entry, equals)) != null) {
                    throw malformed(entry, "a role once, '=' and what it gives");
                }
            }
        }
        return new RoleMapping(named);
    }

    private static Set<Right> rights(String entry, int equals) {
        var rights = new LinkedHashSet<Right>();
        for (String text : entry.substring(equals + 1).split(",")) {
            rights.add(
                    Right.read(text.strip())
                            .orElseThrow(
                                    () ->
                                            malformed(
                                                    entry,
                                                    "PROJECT:PERMISSION or service:admin where it"
                                                            + " says '"
                                                            + text.strip()
                                                            + "'")));
        }
        return rights;
    }

    private static IllegalArgumentException malformed(String entry, String wanted) {
        return new IllegalArgumentException(
                "HOLDFAST_OPENID_ROLES: \"" + entry.strip() + "\" should have " + wanted);
    }

    Meaning of(List<String> roles) {
        var rights = new LinkedHashSet<Right>();
        var idle = new ArrayList<String>();
        for (String role : roles) {
            Set<Right> given = given(role);
            rights.addAll(given);
            if (given.isEmpty()) {
                idle.add(role);
            }
        }
        return new Meaning(rights, idle);
    }

    private Set<Right> given(String role) {
        Optional<Right> own =
                role.startsWith(PREFIX)
                        ? Right.read(role.substring(PREFIX.length()))
                        : Optional.empty();
        return own.map(Set::of).orElseGet(() -> named.getOrDefault(role, Set.of()));
    }
}
