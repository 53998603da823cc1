package dev.holdfast.worker;

import static dev.holdfast.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.fleet.Renewal;
import dev.holdfast.fleet.Renewals;
import dev.holdfast.fleet.Workers;
import dev.holdfast.role.PlayedRoles;
import dev.holdfast.role.Role;
import dev.holdfast.runtime.Machine;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.runtime.MachineId;
import dev.holdfast.runtime.SandboxRuntime;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a worker ends of what it runs, by a clock of the test's and a database that is none. */
@Timeout(60)
class TenureTest {

    private static final Duration TENURE = Duration.ofMinutes(4);
    private static final MachineId ONE = MachineId.random();
    private static final MachineId OTHER = MachineId.random();

    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger stopped = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<MachineId> running = new CopyOnWriteArrayList<>(List.of(ONE, OTHER));
    private final Tenure tenure = new Tenure();
    private volatile Supplier<Renewal> database = TenureTest::away;

    @BeforeEach
    void begins() {
        tenure.config = new Named();
        tenure.lease = new Lease(clock::get, TENURE);
        tenure.live = new LiveSandboxes();
        tenure.roles = PlayedRoles.of("worker");
        tenure.workers = new Beginning();
        tenure.renewals = new Asked();
        tenure.deliveries = new Stopped();
        tenure.runtime = played(SandboxRuntime.class);
        tenure.machines = new Machines();
        tenure.machines.live = tenure.live;
        tenure.machines.runtime = tenure.runtime;
        tenure.threads = played(ManagedThreadFactory.class);
        tenure.begin();
    }

    @AfterEach
    void ends() {
        over.countDown();
        tenure.end();
    }

    @Test
    @Tag("R168")
    void endsNothingWhileItMayRunWithoutARenewal() throws Exception {
        pass(TENURE.minusNanos(1));
        looks();

        assertThat(asked).as("nobody is asked once more").hasValue(0);
        assertThat(running).containsExactly(ONE, OTHER);
        assertThat(tenure.hasEnded(ONE)).isFalse();
    }

    @Test
    @Tag("R168")
    void endsAllThatItRunsWhenItCannotRenew() throws Exception {
        pass(TENURE);

        await("all has ended", running::isEmpty);
        assertThat(asked.get()).as("not without asking once more").isPositive();
        assertThat(tenure.hasEnded(ONE)).isTrue();
        assertThat(tenure.hasEnded(OTHER)).isTrue();
        assertThat(tenure.isTaken()).isFalse();
    }

    @Test
    @Tag("R168")
    void endsAllThatItRunsWhenTheDatabaseIsSilent() throws Exception {
        database = this::silent;
        pass(TENURE);

        await("all has ended", running::isEmpty);
        assertThat(asked).as("one who waits is enough").hasValue(1);
    }

    /** As after a process was stopped for long. */
    @Test
    @Tag("R168")
    void endsNothingWhenTheDatabaseStillLetsItRenew() throws Exception {
        database = () -> Renewal.DONE;
        pass(TENURE.multipliedBy(3));
        await("it asks once more", () -> asked.get() > 0);
        looks();

        assertThat(running).containsExactly(ONE, OTHER);
        assertThat(tenure.lease.isOver()).isFalse();
        assertThat(asked).as("renewed again").hasValue(1);
    }

    @Test
    @Tag("R168")
    void endsAllThatItRunsWhenItWasGivenUp() throws Exception {
        database = () -> Renewal.LOST;
        pass(TENURE);

        await("all has ended", running::isEmpty);
        assertThat(tenure.isTaken()).isFalse();
        assertThat(stopped).as("it may begin anew").hasValue(0);
    }

    @Test
    @Tag("R168")
    void takesNothingMoreEitherWhenAnotherServerHasItsName() throws Exception {
        database = () -> Renewal.TAKEN;
        pass(TENURE);

        await("all has ended", running::isEmpty);
        await("nothing is taken", () -> stopped.get() > 0);
        assertThat(tenure.isTaken()).isTrue();
    }

    @Test
    @Tag("R168")
    void endsByTheNextLookWhatCouldNotBeEnded() throws Exception {
        refused.set(3);
        pass(TENURE);

        await("all has ended all the same", running::isEmpty);
        assertThat(refused.get()).as("it was refused before").isNotPositive();
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    /** Long enough for some. */
    private static void looks() throws InterruptedException {
        Thread.sleep(1_000);
    }

    private static Renewal away() {
        throw new IllegalStateException("the database is away");
    }

    private Renewal silent() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return away();
    }

    private <T> T played(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "newThread" -> new Thread((Runnable) arguments[0]);
                                    case "running" ->
                                            running.stream().map(TenureTest::machine).toList();
                                    case "kill" -> killed((MachineId) arguments[0]);
                                    default -> throw new AssertionError(method);
                                }));
    }

    private Object killed(MachineId id) {
        if (refused.getAndDecrement() > 0) {
            throw new MachineFailure(MachineFailure.Reason.FAILED, "not now");
        }
        running.remove(id);
        return null;
    }

    private static Machine machine(MachineId id) {
        return new Machine(id, 1, null, null, null, null, Instant.EPOCH, null);
    }

    private static final class Named extends WorkerConfig {
        Named() {
            id = "worker-2";
        }

        @Override
        public String instance() {
            return "test";
        }
    }

    private static final class Beginning extends Workers {
        @Override
        public long begin(String id, String instance, Set<Role> roles, boolean started) {
            return 7;
        }
    }

    private final class Asked extends Renewals {
        @Override
        public Renewal renew(String id, long incarnation) {
            assertThat(id).isEqualTo("worker-2");
            assertThat(incarnation).isEqualTo(7);
            asked.incrementAndGet();
            return database.get();
        }
    }

    private final class Stopped extends Deliveries {
        @Override
        void stop() {
            stopped.incrementAndGet();
        }
    }
}
