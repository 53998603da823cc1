package dev.holdfast.problem;

import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Provider;

/**
 * One JSON binding for all that is read and written. Without it the platform makes a new one for
 * each body, which finds out anew by reflection what the classes look like.
 */
@Provider
public class JsonBinding implements ContextResolver<Jsonb> {

    /** For who writes a body itself. */
    public static final Jsonb JSON = JsonbBuilder.create();

    @Override
    public Jsonb getContext(Class<?> type) {
        return JSON;
    }
}
