package dev.holdfast.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import jakarta.transaction.RollbackException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RefusalsTest {

    private static final Deed DEED =
            Deed.of(Action.SNAPSHOT_DELETE, new Subject("snapshot", "some")).by("somebody");

    /** As the container's interceptor does at the end of a transaction: nothing declares it. */
    private static final class Failing extends Audit {
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public void inVain(Deed deed, Origin origin, Outcome outcome, String reason) {
            asked.incrementAndGet();
            throwUndeclared(new RollbackException("the database is away"));
        }

        @SuppressWarnings("unchecked")
        private static <E extends Throwable> void throwUndeclared(Throwable e) throws E {
            throw (E) e;
        }
    }

    @Test
    @Tag("F9")
    void answersTheCallerAllTheSame() {
        var audit = new Failing();
        var refusals = new Refusals();
        refusals.audit = audit;

        assertThatCode(() -> refusals.tell(DEED, Origin.current(), Outcome.REFUSED, "no_worker"))
                .doesNotThrowAnyException();
        assertThat(audit.asked).hasValue(1);
    }
}
