package dev.holdfast.run;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A class of tests that needs nothing of the shared server runs while the others do, because both
 * wait as long as they work. One such class at a time, its tests after each other.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("the second lane")
@ExtendWith(SecondLane.AfterTheShared.class)
public @interface SecondLane {

    /** The first server that starts prepares the host; no two do that at once. */
    final class AfterTheShared implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            SharedServer.get();
        }
    }
}
