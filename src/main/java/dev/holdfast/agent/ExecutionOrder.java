package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Code to run.
 *
 * @param context where; absent means the context that every language has
 * @param language of that one, where no context is named; absent means Python
 * @param environment variables that hold for this code only
 */
public record ExecutionOrder(
        String code,
        Optional<ContextId> context,
        Optional<String> language,
        Map<String, String> environment) {

    /** How long code may be, in bytes of UTF-8. */
    public static final int LONGEST = 1024 * 1024;

    public ExecutionOrder {
        Objects.requireNonNull(context);
        Objects.requireNonNull(language);
        environment = Map.copyOf(environment);
        if (context.isPresent() && language.isPresent()) {
            throw new IllegalArgumentException(
                    "a context and a language exclude each other: the context has its language");
        }
        if (code.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw new IllegalArgumentException("the code is longer than 1 MiB");
        }
    }

    public static ExecutionOrder in(ContextId context, String code) {
        return new ExecutionOrder(code, Optional.of(context), Optional.empty(), Map.of());
    }

    JsonObject json() {
        var env = Members.BUILDERS.createObjectBuilder();
        environment.forEach(env::add);
        var request =
                Members.BUILDERS.createObjectBuilder().add("op", "context.execute").add("env", env);
        context.ifPresent(id -> request.add("context", id.value()));
        language.ifPresent(name -> request.add("language", name));
        return request.build();
    }
}
