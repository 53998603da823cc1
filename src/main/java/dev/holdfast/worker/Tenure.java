package dev.holdfast.worker;

import dev.holdfast.fleet.Renewal;
import dev.holdfast.fleet.Renewals;
import dev.holdfast.fleet.Withdrawals;
import dev.holdfast.fleet.Workers;
import dev.holdfast.role.Roles;
import dev.holdfast.runtime.Machine;
import dev.holdfast.runtime.MachineId;
import dev.holdfast.runtime.SandboxRuntime;
import dev.holdfast.telemetry.Trail;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * This worker's hold on its name: taken when it starts, renewed while it runs. When it is lost,
 * everything that runs here ends, whether the database can be reached or not. When it is another
 * server's, nothing more is taken from the broker either.
 */
@ApplicationScoped
class Tenure {

    private static final Logger LOG = Logger.getLogger(Tenure.class);

    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration RENEWAL = Workers.LEASE.dividedBy(3);
    private static final int HANDS = 8;

    /** How long the database is waited for before what runs here ends for want of it. */
    private static final Duration LAST_CHANCE = Duration.ofSeconds(2);

    /** Longer than the database may take for one. */
    private static final Duration LAST_RENEWAL = Duration.ofSeconds(5);

    @Inject WorkerConfig config;
    @Inject Deliveries deliveries;
    @Inject Lease lease;
    @Inject LiveSandboxes live;
    @Inject Machines machines;
    @Inject Renewals renewals;
    @Inject Roles roles;
    @Inject SandboxRuntime runtime;
    @Inject Withdrawals withdrawals;
    @Inject Workers workers;
    @Resource ManagedThreadFactory threads;

    /** Of its own: what waits for the database must not keep the end of a lease from being seen. */
    private ScheduledExecutorService watch;

    private ExecutorService hands;

    /** The same for the renewals: elsewhere all threads may wait for a database that is silent. */
    private ScheduledExecutorService asker;

    private final Duration renewal;
    private final Duration lastRenewal;
    private Future<?> renewing = CompletableFuture.completedFuture(null);
    private volatile Future<?> beginning = CompletableFuture.completedFuture(null);
    private Future<?> asking = CompletableFuture.completedFuture(null);
    private final Set<MachineId> ending = ConcurrentHashMap.newKeySet();
    private final Set<MachineId> ended = ConcurrentHashMap.newKeySet();
    private volatile long incarnation;
    private volatile boolean taken;
    private volatile boolean leaving;

    Tenure() {
        this(RENEWAL, LAST_RENEWAL);
    }

    /**
     * @param renewal after how long it renews again
     * @param lastRenewal how long a stop waits for a renewal that is under way
     */
    Tenure(Duration renewal, Duration lastRenewal) {
        this.renewal = renewal;
        this.lastRenewal = lastRenewal;
    }

    /**
     * Takes the name.
     *
     * @throws RuntimeException in words, while another installation's server has it
     */
    void begin() {
        long asked = lease.now();
        incarnation = workers.begin(config.id(), config.instance(), roles.all(), watch == null);
        lease.renewed(asked);
        if (watch == null) {
            hands = Executors.newFixedThreadPool(HANDS, threads);
            asker = Executors.newSingleThreadScheduledExecutor(threads);
            watch = Executors.newSingleThreadScheduledExecutor(threads);
            watch.scheduleWithFixedDelay(
                    this::look, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Takes the name again after others have given up what ran here. Between two renewals: one that
     * is under way under the number before would find that another process has the name.
     *
     * @return false when this process is not to have it any more
     */
    boolean beginAgain() {
        try {
            return asker.submit(
                            () -> {
                                if (!taken && !leaving) {
                                    begin();
                                }
                                return !taken && !leaving;
                            })
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the name cannot be taken again now", e.getCause());
        }
    }

    /**
     * Renews the lease from now on, until it is given back.
     *
     * @param anew what is done each time that others have given up what ran here, with {@link
     *     #beginAgain} in it; on a thread of its own, because it may wait and renewals may not
     */
    void keep(Runnable anew) {
        renewing =
                asker.scheduleWithFixedDelay(
                        Trail.empty().around(() -> renewOr(anew)),
                        renewal.toMillis(),
                        renewal.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void renewOr(Runnable anew) {
        if (lease.isForfeited() && !beginning.isDone()) {
            return; // there is nothing to renew before it has begun
        }
        try {
            if (!renew() && beginning.isDone()) {
                beginning = hands.submit(Trail.empty().around(() -> attempt(anew)));
            }
        } catch (RuntimeException e) { // or it would be the last time
            LOG.warnf(e, "Worker %s renews its lease again soon", config.id());
        }
    }

    private void attempt(Runnable anew) {
        try {
            anew.run();
        } catch (RuntimeException e) {
            LOG.warnf(e, "Worker %s begins anew soon", config.id());
        }
    }

    /** Nothing runs here any more. */
    void end() {
        if (watch != null) {
            watch.shutdownNow();
            hands.shutdown();
            asker.shutdown(); // what waits for its turn there is told that it is over
        }
    }

    long incarnation() {
        return incarnation;
    }

    /**
     * @return false when others have given up what ran here; all of that ends then, and the worker
     *     may begin anew
     */
    private boolean renew() {
        if (taken || leaving) {
            return true;
        }
        long asked = lease.now();
        Renewal answer = renewals.renew(config.id(), incarnation);
        switch (answer) {
            case DONE -> lease.renewed(asked);
            case LOST -> {
                lease.forfeit();
                LOG.errorf("Worker %s was given up, and ends what it still runs", config.id());
            }
            case TAKEN -> {
                lease.forfeit();
                taken = true;
                LOG.errorf(
                        "Another server is worker %s by now. This one ends what it runs and takes"
                                + " nothing until it is started again, under a name of its own",
                        config.id());
            }
        }
        endIfOver();
        return answer != Renewal.LOST;
    }

    /** Whether another server has this worker's name, and this one nothing more to do. */
    boolean isTaken() {
        return taken;
    }

    private void look() {
        try {
            if (lease.isLapsed()) {
                askOnceMore();
            }
            endIfOver();
            if (taken && asking.isDone()) {
                asking = asker.submit(deliveries::stop);
            }
        } catch (RuntimeException e) { // or it would be the last look
            LOG.warnf(e, "What this worker may run no longer is ended by the next look");
        }
    }

    /**
     * A process that was stopped for long finds its lease over, and nobody may have given it up:
     * only the database knows, and whoever it lets renew need end nothing.
     */
    private void askOnceMore() {
        if (asking.isDone()) {
            asking = asker.submit(this::renew);
        }
        try {
            asking.get(LAST_CHANCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debugf(e, "Worker %s cannot renew its lease", config.id());
        }
    }

    /** Ends what runs here while nothing may. Asked often: something may just be starting. */
    private void endIfOver() {
        if (!lease.isOver()) {
            return;
        }
        live.all().forEach(machines::drop); // nobody speaks to any of them, before the first ends
        for (Machine each : runtime.running()) {
            if (ending.add(each.id())) {
                LOG.errorf("Machine %s ends: this worker could not renew its lease", each.id());
                hands.execute(() -> end(each.id()));
            }
        }
    }

    /** Whether a machine that is missing was ended for that. */
    boolean hasEnded(MachineId machine) {
        return ended.contains(machine);
    }

    /** Nobody asks any more for the machines but these. */
    void forgetBut(Set<MachineId> named) {
        ended.retainAll(named);
    }

    /** Gives the name back; it is not renewed any more. */
    void withdraw(String why) {
        renewing.cancel(false);
        leaving = true;
        awaitRenewal();
        taken = taken || !withdrawals.withdraw(config.id(), incarnation, why);
    }

    /** One that is on its way would come after the end, and so would what begins anew. */
    private void awaitRenewal() {
        if (asker == null) {
            return;
        }
        try {
            asker.submit(() -> {}).get(lastRenewal.toMillis(), TimeUnit.MILLISECONDS);
            beginning.get(lastRenewal.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debugf(e, "Worker %s does not wait for its last renewal", config.id());
        }
    }

    /** What could not be ended is tried again by the next look. */
    private void end(MachineId machine) {
        try {
            ended.add(machine);
            machines.discard(machine);
        } catch (RuntimeException e) {
            LOG.warnf(e, "Machine %s is ended again soon", machine);
        } finally {
            ending.remove(machine);
        }
    }
}
