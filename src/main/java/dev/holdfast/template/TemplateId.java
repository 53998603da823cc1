package dev.holdfast.template;

import java.util.UUID;
import java.util.regex.Pattern;

/** The identifier of a template: a UUID; a built-in one has its name as ID. */
public record TemplateId(String value) {

    private static final Pattern SHAPE = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    public TemplateId {
        if (value == null || !SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException("a template ID is made of [a-z0-9_-], at most 64");
        }
    }

    public static TemplateId random() {
        return new TemplateId(UUID.randomUUID().toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
