package dev.holdfast.workbench;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Settings of the Workbench, {@code holdfast.workbench.*}. */
@ApplicationScoped
public class WorkbenchConfig {

    @Inject
    @ConfigProperty(name = "holdfast.workbench.profiles")
    Optional<String> profiles;

    /** Further profiles, and others in place of the built-in ones, as {@link Profiles} reads. */
    String profiles() {
        return profiles.orElse("");
    }
}
