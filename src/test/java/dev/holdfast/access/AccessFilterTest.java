package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import java.lang.annotation.Annotation;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AccessFilterTest {
    @RolesAllowed(Permission.Word.SNAPSHOTS_READ)
    private static final class Guarded {
        @PermitAll
        public void open() {}

        public void inherited() {}
    }

    private static final class Forgotten {
        public void silent() {}
    }

    private static Optional<Annotation> rule(Class<?> type, String method)
            throws NoSuchMethodException {
        return AccessFilter.rule(type.getMethod(method));
    }

    @Test
    void heedsTheMethodBeforeItsClass() throws Exception {
        assertThat(rule(Guarded.class, "open")).containsInstanceOf(PermitAll.class);
        assertThat(rule(Guarded.class, "inherited")).containsInstanceOf(RolesAllowed.class);
    }

    @Test
    void findsNoRuleWhereNothingIsSaid() throws Exception {
        assertThat(rule(Forgotten.class, "silent")).isEmpty();
    }
}
