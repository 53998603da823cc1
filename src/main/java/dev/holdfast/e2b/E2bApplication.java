package dev.holdfast.e2b;

import dev.holdfast.access.AccessFilter;
import dev.holdfast.access.AuditFilter;
import dev.holdfast.problem.Edge;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.HashSet;
import java.util.Set;

/**
 * Everything at the root paths the E2B SDKs call. The classes are listed, not found, so that the
 * native API beside it stays an application of its own.
 */
@ApplicationPath("/")
public class E2bApplication extends Application {
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
                DescriptionResource.class,
                HealthResource.class,
                TeamsResource.class,
                ApiKeysResource.class,
                SandboxesResource.class,
                SandboxListResource.class,
                PausesResource.class,
                ForksResource.class,
                MetricsResource.class,
                NetworkResource.class,
                SnapshotsResource.class,
                TemplatesResource.class,
                UnsupportedResource.class,
                VolumeContentResource.class,
                VolumesResource.class);
    }
}
