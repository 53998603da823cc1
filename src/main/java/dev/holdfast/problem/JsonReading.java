package dev.holdfast.problem;

import jakarta.json.JsonException;
import jakarta.json.bind.JsonbException;
import jakarta.json.stream.JsonParsingException;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Tells a body that cannot be read (the caller's fault) from an answer that cannot be written
 * (ours): the server throws the same exceptions for both.
 */
@Provider
public class JsonReading implements ReaderInterceptor {
    private static final Pattern MEMBER = Pattern.compile("property '([^']{1,64})'");

    @Override
    public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        try {
            return context.proceed();
        } catch (ProcessingException | JsonbException | JsonException e) {
            throw unreadable(e);
        }
    }

    static Problem unreadable(RuntimeException thrown) {
        var cause = (Throwable) thrown;
        for (int depth = 0; cause != null && depth < 16; depth++, cause = cause.getCause()) {
            if (cause instanceof Problem problem) {
                return problem;
            }
            if (cause instanceof JsonParsingException parsing && parsing.getLocation() != null) {
                var at = parsing.getLocation();
                return new Problem(
                        Reason.INVALID_PARAMETER,
                        "The body is not valid JSON: line %d, column %d."
                                .formatted(at.getLineNumber(), at.getColumnNumber()),
                        thrown);
            }
            var member = MEMBER.matcher(String.valueOf(cause.getMessage()));
            if (member.find()) {
                var name = member.group(1);
                return new Problem(
                                Reason.INVALID_PARAMETER,
                                "The member '%s' has a value of the wrong type.".formatted(name),
                                thrown)
                        .with("parameter", name);
            }
        }
        return new Problem(
                Reason.INVALID_PARAMETER,
                "The body is not JSON of the shape that this call takes.",
                thrown);
    }
}
