package dev.holdfast.webhook;

import dev.holdfast.event.Errand;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventId;
import dev.holdfast.event.EventLog;
import dev.holdfast.role.Roles;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocketFactory;
import org.jboss.logging.Logger;

/**
 * Sends on this node what is due, as soon as a hint or a tick says that something may be. A few
 * threads of its own send, and an endpoint that is slow gets only some of them. A node that only
 * works sends nothing.
 */
@Singleton
@Startup
@DependsOn({"Migrations", "Secrets"})
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class Dispatcher {

    private static final Logger LOG = Logger.getLogger(Dispatcher.class);

    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int SENDERS = 12;
    private static final String ALL = "all";

    /** How many deliveries to one endpoint are under way at once from here. */
    private static final int MOST_EACH = 3;

    /** And to all of one project: whatever becomes of them, others are sent to meanwhile. */
    private static final int MOST_OF_PROJECT = 6;

    private final ConcurrentMap<Object, Integer> underWay = new ConcurrentHashMap<>();
    private final Errand errand = new Errand(this::tellAndSend);

    private ExecutorService senders;
    private ExecutorService names;
    private ScheduledFuture<?> ticks;
    private Outlet outlet;

    @Inject Clock clock;
    @Inject WebhookConfig config;
    @Inject Deliveries deliveries;
    @Inject EventLog log;
    @Inject Roles roles;

    @Resource ManagedExecutorService executor;
    @Resource ManagedScheduledExecutorService scheduler;
    @Resource ManagedThreadFactory threads;

    @PostConstruct
    void start() {
        if (!roles.control()) {
            return;
        }
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        SENDERS,
                        SENDERS,
                        30,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        threads);
        pool.allowCoreThreadTimeOut(true);
        senders = pool;
        // Of those that never hear of a name a few may be left behind.
        names =
                new ThreadPoolExecutor(
                        0, 2 * SENDERS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
        outlet =
                new Outlet(
                        config.reach(),
                        config.patience,
                        (SSLSocketFactory) SSLSocketFactory.getDefault(),
                        scheduler,
                        names);
        ticks =
                scheduler.scheduleWithFixedDelay(
                        this::look, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    @PreDestroy
    void stop() {
        if (ticks == null) {
            return;
        }
        ticks.cancel(false);
        senders.shutdownNow();
        names.shutdownNow();
    }

    /** Something happened, here or on another node. */
    public void observe(@Observes Event event) {
        if (ticks != null && !event.notices().isEmpty()) {
            look();
        }
    }

    private void look() {
        errand.ask(executor); // without a thread the next tick is another try
    }

    private void tellAndSend() {
        try {
            boolean more;
            do {
                more = tell();
                send();
            } while (more);
        } catch (RuntimeException e) {
            LOG.debug("deliveries cannot be read now; the next tick tries again", e);
        }
    }

    /**
     * A piece of the log to each endpoint that is behind, so that none waits for another's backlog.
     *
     * @return whether there is more
     */
    private boolean tell() {
        if (!deliveries.any()) {
            return false; // nobody is to be told of anything
        }
        EventId last = log.last();
        boolean more = false;
        for (WebhookId each : deliveries.behind(last)) {
            try {
                more |= deliveries.tell(each, last);
            } catch (RuntimeException e) { // the others are told all the same
                LOG.warnf(e, "Webhook %s cannot be told now", each);
            }
        }
        return more;
    }

    /** Takes no more than can be sent at once: what waits here would be taken twice. */
    private void send() {
        for (Owed each : deliveries.due()) {
            int free =
                    Math.min(
                            SENDERS - underWay.getOrDefault(ALL, 0),
                            Math.min(
                                    MOST_OF_PROJECT - underWay.getOrDefault(each.project(), 0),
                                    MOST_EACH - underWay.getOrDefault(each.webhook(), 0)));
            if (free > 0) {
                try {
                    deliveries.claim(each.webhook(), free).forEach(this::take);
                } catch (RuntimeException e) { // the others are sent to all the same
                    LOG.warnf(e, "What is due to webhook %s cannot be read now", each.webhook());
                }
            }
        }
    }

    private void take(Shipment shipment) {
        counted(shipment).forEach(each -> underWay.merge(each, 1, Integer::sum));
        try {
            senders.execute(() -> send(shipment));
        } catch (RejectedExecutionException over) {
            left(shipment); // another node takes it when the claim is over
        }
    }

    private void send(Shipment shipment) {
        try {
            Answer answer = outlet.post(shipment.destination(), headers(shipment), shipment.body());
            deliveries.settle(shipment, answer);
        } catch (RuntimeException e) {
            LOG.warnf(e, "A delivery to webhook %s is tried again", shipment.webhook());
        } finally {
            left(shipment);
            look();
        }
    }

    private void left(Shipment shipment) {
        counted(shipment)
                .forEach(
                        each ->
                                underWay.computeIfPresent(
                                        each, (key, many) -> many == 1 ? null : many - 1));
    }

    private static List<Object> counted(Shipment shipment) {
        return List.of(ALL, shipment.project(), shipment.webhook());
    }

    private Map<String, String> headers(Shipment shipment) {
        Instant now = clock.instant();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("webhook-id", shipment.id());
        headers.put("webhook-timestamp", String.valueOf(now.getEpochSecond()));
        headers.put(
                "webhook-signature",
                shipment.secrets().stream()
                        .map(secret -> secret.sign(shipment.id(), now, shipment.body()))
                        .collect(Collectors.joining(" ")));
        return headers;
    }
}
