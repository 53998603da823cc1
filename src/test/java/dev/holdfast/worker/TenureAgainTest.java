package dev.holdfast.worker;

import static dev.holdfast.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.fleet.Renewal;
import dev.holdfast.fleet.Renewals;
import dev.holdfast.fleet.Withdrawals;
import dev.holdfast.fleet.Workers;
import dev.holdfast.role.PlayedRoles;
import dev.holdfast.role.Role;
import dev.holdfast.runtime.SandboxRuntime;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that others have given up, without a database. */
@Timeout(60)
class TenureAgainTest {

    private static final Duration OFTEN = Duration.ofMillis(20);

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger renewed = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Tenure tenure = new Tenure(OFTEN, Duration.ofMillis(200));

    @BeforeEach
    void begin() {
        tenure.config =
                new WorkerConfig() {
                    @Override
                    public String instance() {
                        return "aaaa";
                    }
                };
        tenure.config.id = "worker-1";
        tenure.lease = new Lease();
        tenure.live = new LiveSandboxes();
        tenure.machines = new Machines();
        tenure.renewals = new Rows();
        tenure.roles = PlayedRoles.of("control", "worker");
        tenure.runtime = played(SandboxRuntime.class, arguments -> List.of());
        tenure.threads =
                played(
                        ManagedThreadFactory.class,
                        arguments -> new Thread((Runnable) arguments[0]));
        tenure.withdrawals = new Left();
        tenure.workers = new Names();
        tenure.begin();
    }

    @AfterEach
    void end() {
        goOn.countDown();
        tenure.end();
    }

    /** What others need to know of it may wait for a database that is silent. */
    @Test
    void renewsWhileItIsNotDoneWithBeginningAnew() throws Exception {
        tenure.keep(
                () -> {
                    tenure.beginAgain();
                    hold();
                });

        await("it has begun again", () -> begun.get() == 2);
        await("it renews", () -> renewed.get() > 2);
        assertThat(goOn.getCount()).as("it is still about it").isEqualTo(1);
        assertThat(refused.get()).isEqualTo(1);
    }

    /** The store that it publishes to may be slow; it is asked for a name that it has not yet. */
    @Test
    void asksForNothingUntilItHasBegunAgain() throws Exception {
        tenure.keep(
                () -> {
                    hold();
                    tenure.beginAgain();
                });
        await("it was given up", () -> refused.get() == 1);
        Thread.sleep(OFTEN.multipliedBy(10).toMillis());
        assertThat(refused.get()).isEqualTo(1);

        goOn.countDown();
        await("it renews", () -> renewed.get() > 0);
        assertThat(begun.get()).isEqualTo(2);
    }

    @Test
    void doesNotBeginAgainWhenItStopsMeanwhile() throws Exception {
        var again = new CompletableFuture<Boolean>();
        tenure.keep(
                () -> {
                    hold();
                    again.complete(tenure.beginAgain());
                });
        await("it was given up", () -> refused.get() == 1);

        tenure.withdraw("the worker was stopped");
        goOn.countDown();

        assertThat(again.get()).isFalse();
        assertThat(begun.get()).isEqualTo(1);
    }

    private void hold() {
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Reply {
        Object to(Object[] arguments);
    }

    private <T> T played(Class<T> type, Reply reply) {
        return type.cast(
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> reply.to(arguments)));
    }

    /** Gives it up under its first number, and lets it renew under each after that. */
    private final class Rows extends Renewals {
        @Override
        public Renewal renew(String id, long incarnation) {
            if (incarnation == 1) {
                refused.incrementAndGet();
                return Renewal.LOST;
            }
            renewed.incrementAndGet();
            return Renewal.DONE;
        }
    }

    private final class Names extends Workers {
        @Override
        public long begin(String id, String instance, Set<Role> roles, boolean started) {
            return begun.incrementAndGet();
        }
    }

    private static final class Left extends Withdrawals {
        @Override
        public boolean withdraw(String id, long incarnation, String why) {
            return true;
        }
    }
}
