package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.StreamingOutput;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.xnio.IoUtils;

/**
 * Lists that are written whole. Each holds a thread of the server for as long as its reader reads:
 * so there are few at once on a node, and a reader who does not read is left.
 */
@ApplicationScoped
public class Exports {

    private static final Logger LOG = Logger.getLogger(Exports.class);

    private static final Duration ASK_AGAIN = Duration.ofSeconds(10);

    @Inject
    @ConfigProperty(name = "holdfast.api.exports", defaultValue = "4")
    int most;

    @Inject
    @ConfigProperty(name = "holdfast.api.export-stall", defaultValue = "PT30S")
    Duration stall;

    @Inject
    @ConfigProperty(name = "holdfast.api.export-longest", defaultValue = "PT15M")
    Duration longest;

    @Resource ManagedScheduledExecutorService scheduler;

    private Semaphore free;

    @PostConstruct
    void start() {
        free = new Semaphore(most);
    }

    /**
     * The export as this request's answer.
     *
     * @throws Problem {@code rate_limited} when as many as may are under way
     */
    StreamingOutput begin(StreamingOutput export) {
        HttpServerExchange exchange = ServletRequestContext.requireCurrent().getExchange();
        if (!free.tryAcquire()) {
            throw new Problem(
                            Reason.RATE_LIMITED,
                            "No more than "
                                    + most
                                    + " exports are written at once, and so many are. Nothing was"
                                    + " done; ask again later, or read the list in pages.")
                    .retryAfter(ASK_AGAIN);
        }
        exchange.addExchangeCompleteListener(
                (over, next) -> {
                    free.release();
                    next.proceed();
                });
        return out -> {
            WatchedOutput watched = new WatchedOutput(out, stall, longest);
            ScheduledFuture<?> watch =
                    scheduler.scheduleWithFixedDelay(
                            () -> watched.leftBy().ifPresent(why -> leave(exchange, why)),
                            stall.toMillis() / 2,
                            stall.toMillis() / 2,
                            TimeUnit.MILLISECONDS);
            try {
                export.write(watched);
            } finally {
                watch.cancel(false);
            }
        };
    }

    /** Closed and not aborted: of an abort the thread that waits to write would not hear. */
    private static void leave(HttpServerExchange exchange, String why) {
        LOG.infof("An export is ended: %s", why);
        IoUtils.safeClose(exchange.getConnection());
    }
}
