package dev.holdfast.api;

import dev.holdfast.access.ApiKey;
import dev.holdfast.access.Identity;
import dev.holdfast.access.Keys;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Person;
import dev.holdfast.access.Persons;
import dev.holdfast.access.Recognition;
import dev.holdfast.event.Errand;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventConfig;
import dev.holdfast.event.EventId;
import dev.holdfast.event.EventLog;
import dev.holdfast.event.EventQuery;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import io.undertow.server.HttpServerExchange;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * The event streams that are open on this node. A hint makes one of them look for all; a tick each
 * second makes good the hints that were lost. An idle stream holds no thread.
 */
@ApplicationScoped
public class EventStreams {

    private static final Logger LOG = Logger.getLogger(EventStreams.class);

    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration ASK_AGAIN = Duration.ofSeconds(10);

    private final Set<EventFeed> feeds = ConcurrentHashMap.newKeySet();

    private final Errand errand = new Errand(this::tellAll);

    private volatile EventId seen = EventId.NONE;
    private ScheduledFuture<?> ticks;

    @Inject EventConfig config;
    @Inject EventLog log;
    @Inject Keys keys;
    @Inject Persons persons;

    @Resource ManagedExecutorService executor;
    @Resource ManagedScheduledExecutorService scheduler;

    /**
     * A stream that begins behind an event.
     *
     * @param after empty: behind the last there is now
     * @param needed of these permissions the reader has to keep one
     * @throws Problem {@code rate_limited} if there are too many
     */
    EventFeed open(
            HttpServerExchange exchange,
            EventQuery query,
            Optional<EventId> after,
            Identity reader,
            Set<Permission> needed) {
        EventId last = log.last();
        boolean ahead = after.filter(from -> from.compareTo(last) > 0).isPresent();
        EventFeed feed =
                new EventFeed(
                        exchange,
                        this,
                        query.after(ahead ? last : after.orElse(last)),
                        ahead,
                        () -> isGood(reader, needed));
        admit(feed, query.project(), last);
        return feed;
    }

    private synchronized void admit(EventFeed feed, Optional<UUID> project, EventId last) {
        long open = feeds.stream().filter(each -> each.project().equals(project)).count();
        if (open >= config.streams()) {
            throw new Problem(
                            Reason.RATE_LIMITED,
                            "This project has %d event streams open here, which is all it may have. Close one, or read the events page by page."
                                    .formatted(open))
                    .with("limit", config.streams())
                    .retryAfter(ASK_AGAIN);
        }
        if (feeds.isEmpty()) {
            seen = last; // nobody was to be told of what came before
        }
        feeds.add(feed);
        if (ticks == null) {
            ticks =
                    scheduler.scheduleWithFixedDelay(
                            this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Something happened, here or on another node. */
    public void observe(@Observes Event event) {
        look();
    }

    void left(EventFeed feed) {
        feeds.remove(feed);
    }

    EventLog log() {
        return log;
    }

    Duration patience() {
        return config.patience();
    }

    Duration heartbeat() {
        return config.heartbeat();
    }

    /** On a thread that may wait for the database. */
    boolean execute(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException full) {
            return false; // the next tick is another try
        }
    }

    private void tick() {
        if (!feeds.isEmpty()) {
            feeds.forEach(EventFeed::tick);
            look();
        }
    }

    private void look() {
        if (!feeds.isEmpty()) {
            errand.ask(executor); // without a thread the next tick is another try
        }
    }

    private void tellAll() {
        try {
            tell();
        } catch (RuntimeException e) {
            LOG.debug("the events cannot be read now; the next tick tries again", e);
        }
    }

    private void tell() {
        EventId before = seen;
        EventId last = log.last();
        if (last.equals(before)) {
            return;
        }
        List<UUID> told = log.projects(before, last);
        Set<UUID> projects = new HashSet<>(told);
        feeds.stream()
                .filter(each -> each.project().map(projects::contains).orElse(true))
                .forEach(EventFeed::wake);
        seen = last;
    }

    private boolean isGood(Identity reader, Set<Permission> needed) {
        return again(reader) instanceof Recognition.Accepted now
                && now.who().permissions().stream().anyMatch(needed::contains);
    }

    private Recognition again(Identity reader) {
        return reader instanceof ApiKey key
                ? keys.recognise(key.id())
                : persons.recognise((Person) reader);
    }

    @PreDestroy
    void end() {
        synchronized (this) {
            if (ticks != null) {
                ticks.cancel(false);
            }
        }
        feeds.forEach(EventFeed::end);
    }
}
