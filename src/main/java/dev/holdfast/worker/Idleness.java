package dev.holdfast.worker;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Ends or pauses sandboxes that nobody uses for as long as they may be idle. An agent can keep its
 * sandbox by telling of commands, or by not answering; its lifetime ends all the same.
 */
@ApplicationScoped
class Idleness {

    private static final Logger LOG = Logger.getLogger(Idleness.class);
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    /** A question that is not answered by then is asked anew. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private record Question(long askedAt, boolean answered) {

        boolean isOpen() {
            Duration age = Duration.ofNanos(System.nanoTime() - askedAt);
            return age.compareTo(answered ? ASK_AGAIN : PATIENCE) < 0;
        }
    }

    @Inject Overdues overdues;

    private final Map<LiveSandbox, Question> asked = new ConcurrentHashMap<>();

    /** Called on every tick of the worker. */
    void look(LiveSandbox sandbox) {
        boolean empty = sandbox.presence().isEmpty();
        sandbox.idleTimeout()
                .filter(allowed -> empty && !sandbox.isHeld())
                .ifPresent(allowed -> judge(sandbox, allowed));
    }

    private void judge(LiveSandbox sandbox, Duration allowed) {
        if (!sandbox.presence().isQuiet()) {
            ask(sandbox);
        } else if (sandbox.presence().idle().compareTo(allowed) >= 0) {
            // Asked once for each time of idleness, also if nothing comes of it.
            sandbox.presence().busy();
            overdues.end(new Overdue(sandbox.id(), Optional.of(allowed)));
        }
    }

    private void ask(LiveSandbox sandbox) {
        Question last = asked.get(sandbox);
        if (last != null && last.isOpen()) {
            return;
        }
        if (last == null) {
            sandbox.gone().thenRun(() -> asked.remove(sandbox));
        }
        Question question = new Question(System.nanoTime(), false);
        asked.put(sandbox, question);
        long visits = sandbox.presence().visits();
        sandbox.agent()
                .processes()
                .whenComplete(
                        (running, failure) -> {
                            if (failure != null) {
                                LOG.debugf(failure, "Sandbox %s does not say", sandbox.id());
                            } else if (running.isEmpty()) {
                                sandbox.presence().quiet(visits);
                            } else {
                                sandbox.presence().busy();
                            }
                            asked.replace(
                                    sandbox, question, new Question(question.askedAt(), true));
                        });
    }
}
