package dev.holdfast.envd;

import dev.holdfast.gateway.Gateway;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The data plane of a sandbox; the gateway brings its requests here. */
@ApplicationPath(Gateway.ENVD_PREFIX)
public class EnvdApplication extends Application {

    private final Watchers watchers = new Watchers();

    /** The one that keeps something between requests. */
    @Override
    public Set<Object> getSingletons() {
        return Set.of(new FilesystemResource(watchers));
    }

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(
                ProcessResource.class,
                FilesResource.class,
                StateResource.class,
                EnvdErrorMapper.class);
    }
}
