package dev.holdfast.audit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says of a JAX-RS method which change it is asked for, so that a refusal can be written down. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Audited {
    Action value();

    /** What its path parameter {@link #id} names. */
    String type();

    /** The path parameter that names the subject; its value is what the caller called it. */
    String id() default "";
}
