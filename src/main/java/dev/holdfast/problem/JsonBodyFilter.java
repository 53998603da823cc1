package dev.holdfast.problem;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/**
 * Reads a JSON body whole before any parser does, bounded whether or not its length was announced.
 *
 * <p>Runs after the filters that decide who may call, so that strangers cannot make us hold bodies.
 * Other media types are streams, and their resources bound them.
 */
@Provider
@Priority(Priorities.ENTITY_CODER)
public class JsonBodyFilter implements ContainerRequestFilter {
    private static final Set<String> JSON = Set.of("json", "merge-patch+json", "json-patch+json");

    @Context private ResourceInfo resource;

    @Override
    public void filter(ContainerRequestContext request) {
        var type = request.getMediaType();
        if (!isJson(type) || !request.hasEntity()) {
            return;
        }
        var charset = type.getParameters().get(MediaType.CHARSET_PARAMETER);
        if (charset != null && !charset.equalsIgnoreCase("utf-8")) {
            throw Diagnosis.ofStatus(Reason.UNSUPPORTED_MEDIA_TYPE.status());
        }
        var limit = limit();
        if (request.getLength() > limit) {
            throw JsonText.tooLarge(limit);
        }
        try {
            var body = request.getEntityStream().readNBytes(limit + 1);
            request.setEntityStream(new ByteArrayInputStream(JsonText.checked(body, limit)));
        } catch (IOException e) {
            throw new Problem(
                    Reason.INVALID_PARAMETER, "The body ended early or could not be read.", e);
        }
    }

    private int limit() {
        var method = resource.getResourceMethod();
        if (method == null) {
            return BodyLimit.DEFAULT;
        }
        var own = method.getAnnotation(BodyLimit.class);
        if (own == null) {
            own = method.getDeclaringClass().getAnnotation(BodyLimit.class);
        }
        return own == null ? BodyLimit.DEFAULT : own.value();
    }

    private static boolean isJson(MediaType type) {
        return type != null
                && type.getType().equalsIgnoreCase("application")
                && JSON.contains(type.getSubtype().toLowerCase(Locale.ROOT));
    }
}
