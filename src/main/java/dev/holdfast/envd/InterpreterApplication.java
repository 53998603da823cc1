package dev.holdfast.envd;

import dev.holdfast.gateway.Gateway;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The code interpreter of a sandbox; the gateway brings its requests here. */
@ApplicationPath(Gateway.INTERPRETER_PREFIX)
public class InterpreterApplication extends Application {

    private final Executions executions = new Executions();

    /** The one that keeps something between requests. */
    @Override
    public Set<Object> getSingletons() {
        return Set.of(new ExecuteResource(executions));
    }

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(ContextsResource.class, InterpreterErrorMapper.class);
    }
}
