package dev.holdfast.api;

import dev.holdfast.event.EventEntry;
import dev.holdfast.event.EventId;
import dev.holdfast.event.EventPage;
import dev.holdfast.event.EventQuery;
import dev.holdfast.gateway.EventStream;
import dev.holdfast.problem.JsonBinding;
import io.undertow.server.HttpServerExchange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * One reader of the log over server-sent events. It takes a page, sends it, and takes the next when
 * that has left: a slow reader costs one page of memory, and one that does not read at all is cut
 * off and may resume where it was.
 */
final class EventFeed {

    private static final Logger LOG = Logger.getLogger(EventFeed.class);

    private static final int PAGE = 100;

    /** How long a client is to wait before it comes again. */
    private static final String BEGINNING = "retry: 2000\n\n";

    private static final String GAP =
            "event: gap\n"
                    + "data: {\"reason\":\"Events between the last one you have and the next one"
                    + " here are not kept any more. Read the lists again.\"}\n\n";

    /** A comment: the client resumes where it was, as after any end. */
    private static final byte[] TOO_SLOW =
            ": reader_too_slow\n\n".getBytes(StandardCharsets.US_ASCII);

    private final EventStreams streams;
    private final BooleanSupplier allowed;
    private final EventStream answer;
    private volatile EventQuery next;

    /** Whether the first thing to say is that something is missing. */
    private boolean gap;

    private boolean begun;
    private boolean busy;
    private boolean wanted = true;
    private boolean over;
    private long since = System.nanoTime();

    EventFeed(
            HttpServerExchange exchange,
            EventStreams streams,
            EventQuery from,
            boolean gap,
            BooleanSupplier allowed) {
        this.streams = streams;
        this.next = new EventQuery(from.project(), from.kind(), from.subject(), from.after(), PAGE);
        this.gap = gap;
        this.allowed = allowed;
        this.answer = new EventStream(exchange, cost -> sent(), this::gone, TOO_SLOW.clone());
    }

    /** What the client gets; it goes on growing. */
    EventStream answer() {
        wake();
        return answer;
    }

    Optional<UUID> project() {
        return next.project();
    }

    /** There may be something for it. */
    void wake() {
        synchronized (this) {
            wanted = true;
            if (busy || over) {
                return;
            }
            busy = true;
            since = System.nanoTime();
        }
        if (!streams.execute(this::step)) {
            idle();
        }
    }

    /** Once a second: is it stuck, is it silent for too long, was it not served? */
    void tick() {
        boolean late;
        boolean silent;
        boolean again;
        synchronized (this) {
            Duration age = Duration.ofNanos(System.nanoTime() - since);
            late = busy && age.compareTo(streams.patience()) > 0;
            silent = !busy && age.compareTo(streams.heartbeat()) >= 0;
            again = !busy && wanted;
        }
        if (late) {
            LOG.debug("a reader of events was cut off because it does not read");
            answer.reset();
        } else if (silent || again) {
            wake();
        }
    }

    void end() {
        synchronized (this) {
            over = true;
        }
        answer.farewell(new byte[0]);
        streams.left(this);
    }

    /** Reads a page and sends it, or says that it is still there. */
    private void step() {
        try {
            if (!allowed.getAsBoolean()) {
                end();
                return;
            }
            synchronized (this) {
                wanted = false;
            }
            // Known before the page is read: all up to it is in the page, or not for this reader.
            EventId last = streams.log().last();
            EventPage page = streams.log().numbered(next);
            send(page, last);
        } catch (RuntimeException e) {
            LOG.debug("events cannot be read now; the next tick tries again", e);
            synchronized (this) {
                wanted = true;
            }
            idle();
        }
    }

    private void send(EventPage page, EventId last) {
        boolean whole = page.events().size() < PAGE;
        EventId reached =
                page.events().isEmpty()
                        ? next.after()
                        : page.events().get(page.events().size() - 1).id();
        if (whole && last.compareTo(reached) > 0) {
            reached = last;
        }
        boolean missing = gap || page.gap();
        gap = false;
        boolean moved = !reached.equals(next.after());
        next = next.after(reached);
        synchronized (this) {
            wanted |= !whole;
        }
        String text = text(page, missing, moved, reached);
        answer.send(text.getBytes(StandardCharsets.UTF_8), 1);
    }

    private String text(EventPage page, boolean missing, boolean moved, EventId reached) {
        StringBuilder text = new StringBuilder(begun ? "" : BEGINNING);
        begun = true;
        if (missing) {
            text.append(GAP);
        }
        page.events().forEach(each -> text.append(text(each)));
        if (page.events().isEmpty()) {
            text.append(":\n");
        }
        if (moved || missing || page.events().isEmpty()) {
            // Nothing is dispatched for it, but the client resumes from here.
            text.append("id: ").append(reached).append("\n\n");
        }
        return text.toString();
    }

    private static String text(EventEntry entry) {
        return "id: "
                + entry.id()
                + "\nevent: "
                + entry.type()
                + "\ndata: "
                + JsonBinding.JSON.toJson(EventView.of(entry))
                + "\n\n";
    }

    /** What was read has left. */
    private void sent() {
        idle();
        boolean again;
        synchronized (this) {
            again = wanted;
        }
        if (again) {
            wake();
        }
    }

    private void idle() {
        synchronized (this) {
            busy = false;
            since = System.nanoTime();
        }
    }

    private void gone() {
        synchronized (this) {
            over = true;
        }
        streams.left(this);
    }
}
