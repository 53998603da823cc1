package dev.holdfast.api;

import dev.holdfast.problem.Reason;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Why a method refuses or fails, besides what holds for all of them alike ({@link
 * DescribedProblems}): for the machine-readable description, to which answers are held by a test.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@interface Refuses {
    Reason[] value();
}
