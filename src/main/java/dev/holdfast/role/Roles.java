package dev.holdfast.role;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** What this node is there for, {@code holdfast.roles}; both roles unless that says otherwise. */
@ApplicationScoped
public class Roles {

    @Inject
    @ConfigProperty(name = "holdfast.roles", defaultValue = "control,worker")
    String named;

    private Set<Role> roles;

    @PostConstruct
    void read() {
        roles = Role.of(named);
    }

    /** Whether it answers for any sandbox, and does what has to be done from time to time. */
    public boolean control() {
        return roles.contains(Role.CONTROL);
    }

    /** Whether it runs sandboxes. */
    public boolean worker() {
        return roles.contains(Role.WORKER);
    }

    public Set<Role> all() {
        return Set.copyOf(roles);
    }
}
