package dev.holdfast.console;

import dev.holdfast.access.AccessFilter;
import dev.holdfast.access.AuditFilter;
import dev.holdfast.problem.CorsFilter;
import dev.holdfast.problem.Edge;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.HashSet;
import java.util.Set;

/** Who is signed in to the console; no page of another origin may call or read it. */
@ApplicationPath(ConsoleApplication.PATH)
public class ConsoleApplication extends Application {

    static final String PATH = "/console/sign-in";

    @Override
    public Set<Class<?>> getClasses() {
        var classes = new HashSet<Class<?>>(Edge.providers());
        classes.remove(CorsFilter.class);
        classes.add(AccessFilter.class);
        classes.add(AuditFilter.class);
        classes.add(SignInResource.class);
        return classes;
    }
}
