package dev.holdfast.problem;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** How many bytes of JSON a resource takes, where the default of 1 MiB does not fit. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface BodyLimit {
    /** The default, in bytes. */
    int DEFAULT = 1 << 20;

    /** In bytes. The body is held in memory, so it stays small. */
    int value();
}
