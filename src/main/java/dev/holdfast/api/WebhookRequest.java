package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.webhook.WebhookTerms;
import jakarta.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.media.SchemaProperty;

/** What a webhook is to be, or what is to be changed of it. */
@Schema(
        name = "WebhookRequest",
        type = SchemaType.OBJECT,
        additionalProperties = Schema.False.class,
        properties = {
            @SchemaProperty(
                    name = "url",
                    type = SchemaType.STRING,
                    format = "uri",
                    maxLength = 2000,
                    description = "Where to; a new one needs it",
                    examples = "https://example.com/holdfast"),
            @SchemaProperty(
                    name = "types",
                    type = SchemaType.ARRAY,
                    implementation = String.class,
                    maxItems = 100,
                    description = "Types of events, such as snapshot.saved; none: all"),
            @SchemaProperty(
                    name = "enabled",
                    type = SchemaType.BOOLEAN,
                    description = "Of one that is there: whether anything is sent")
        })
final class WebhookRequest implements UnaryOperator<WebhookTerms> {
    private static final Set<String> NEW = Set.of("url", "types");
    private static final Set<String> CHANGE = Set.of("url", "types", "enabled");

    @Schema(hidden = true)
    private final Asked asked;

    private WebhookRequest(Asked asked) {
        this.asked = asked;
    }

    /** Of one that is to be made. */
    static WebhookTerms fresh(JsonValue body) {
        Asked asked = Asked.of(body, NEW);
        return WebhookTerms.asked(
                asked.text("url").orElseThrow(() -> Problem.invalid("url", "Give a \"url\".")),
                asked.texts("types").orElse(List.of()));
    }

    static WebhookRequest change(JsonValue body) {
        return new WebhookRequest(Asked.of(body, CHANGE));
    }

    Optional<Boolean> enabled() {
        return asked.flag("enabled");
    }

    @Override
    public WebhookTerms apply(WebhookTerms before) {
        return WebhookTerms.asked(
                asked.text("url").orElse(before.destination().toString()),
                asked.texts("types").orElse(before.types()));
    }
}
