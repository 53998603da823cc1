package dev.holdfast.api;

import dev.holdfast.access.AccessFilter;
import dev.holdfast.access.AuditFilter;
import dev.holdfast.problem.Edge;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.HashSet;
import java.util.Set;

/** Everything under {@code /api/v1}. */
@ApplicationPath("/api/v1")
public class ApiApplication extends Application {
    @Override
    public Set<Class<?>> getClasses() {
        var classes = new HashSet<Class<?>>(Edge.providers());
        classes.add(AccessFilter.class);
        classes.add(AuditFilter.class);
        classes.addAll(resources());
        return classes;
    }

    private static Set<Class<?>> resources() {
        return Set.of(
                AdminAuditResource.class,
                AdminKeysResource.class,
                AdminProjectsResource.class,
                AuditResource.class,
                CapturesResource.class,
                KeysResource.class,
                JobsResource.class,
                OperationsResource.class,
                ProjectsResource.class,
                SandboxesResource.class,
                SnapshotsResource.class,
                StorageResource.class,
                TemplatesResource.class);
    }
}
