package dev.holdfast.telemetry;

import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jboss.logging.MDC;

/**
 * What the log lines of one piece of work have in common, on whatever thread and node they are
 * written. A value: what is open on this thread is taken by {@link #here} and opened on another.
 */
public record Trail(Map<Mark, String> marks) {

    /** Ends what {@link Trail#open} began. */
    public interface Scope extends AutoCloseable {
        @Override
        void close();
    }

    private static final Pattern SANE = Pattern.compile("[\\x21-\\x7e]{1,128}");
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    /** What a path of either dialect calls by name. */
    private static final Pattern NAMED =
            Pattern.compile("/(sandboxes|snapshots|operations)/([A-Za-z0-9_.:-]{1,128})(?=/|$)");

    public Trail {
        marks = Map.copyOf(marks);
        marks.forEach(
                (mark, value) -> {
                    if (!isSane(mark, value)) {
                        throw new IllegalArgumentException(mark + " is not fit for a log");
                    }
                });
    }

    public static Trail empty() {
        return new Trail(Map.of());
    }

    /** What is open on this thread. */
    public static Trail here() {
        Map<Mark, String> found = new EnumMap<>(Mark.class);
        for (Mark mark : Mark.values()) {
            if (MDC.get(mark.word()) instanceof String value) {
                found.put(mark, value);
            }
        }
        return new Trail(found);
    }

    /** What a request names of itself: the beginning of a trail. */
    public static Trail ofRequest(String requestId, String traceparent, String path) {
        Trail trail = empty().with(Mark.REQUEST, requestId).with(Mark.TRACE, traceparent);
        var named = NAMED.matcher(path);
        while (named.find()) {
            trail = trail.with(markOf(named.group(1)), named.group(2));
        }
        return trail;
    }

    private static Mark markOf(String collection) {
        return switch (collection) {
            case "sandboxes" -> Mark.SANDBOX;
            case "snapshots" -> Mark.SNAPSHOT;
            default -> Mark.UPLOAD;
        };
    }

    /** What {@link #onto} wrote; nothing where the sender wrote nothing. */
    public static Trail of(Message message) throws JMSException {
        Trail trail = empty();
        for (Mark mark : Mark.values()) {
            if (mark.isCarried()) {
                trail = trail.with(mark, message.getStringProperty(mark.word()));
            }
        }
        return trail;
    }

    /** More of what is open on this thread, until that is closed. */
    public static void mark(Mark mark, Object value) {
        String text = String.valueOf(value);
        if (isSane(mark, text)) {
            MDC.put(mark.word(), text);
        }
    }

    /** The same and one mark more; a value that is not fit for a log is left out. */
    public Trail with(Mark mark, Object value) {
        if (value == null || !isSane(mark, value.toString())) {
            return this;
        }
        Map<Mark, String> more = new EnumMap<>(Mark.class);
        more.putAll(marks);
        more.put(mark, value.toString());
        return new Trail(more);
    }

    public Optional<String> get(Mark mark) {
        return Optional.ofNullable(marks.get(mark));
    }

    /** Makes this the trail of this thread; closing brings the one before back. */
    public Scope open() {
        Trail before = here();
        take();
        return before::take;
    }

    private void take() {
        for (Mark mark : Mark.values()) {
            String value = marks.get(mark);
            if (value == null) {
                MDC.remove(mark.word());
            } else {
                MDC.put(mark.word(), value);
            }
        }
    }

    /** The task as part of this trail, on whatever thread it runs. */
    public Runnable around(Runnable task) {
        return () -> {
            try (Scope scope = open()) {
                task.run();
            }
        };
    }

    /** The task as part of this trail, on whatever thread it runs. */
    public <T> Callable<T> around(Callable<T> task) {
        return () -> {
            try (Scope scope = open()) {
                return task.call();
            }
        };
    }

    /** Lets the messages of a producer carry it. */
    public JMSProducer onto(JMSProducer producer) {
        marks.forEach(
                (mark, value) -> {
                    if (mark.isCarried()) {
                        producer.setProperty(mark.word(), value);
                    }
                });
        return producer;
    }

    private static boolean isSane(Mark mark, String value) {
        return (mark == Mark.TRACE ? TRACEPARENT : SANE).matcher(value).matches();
    }
}
