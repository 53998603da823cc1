package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bRefusal;
import dev.holdfast.problem.Reason;
import io.restassured.path.json.JsonPath;
import java.io.UncheckedIOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What clients were answered while parts of the installation were away. */
final class Ledger {

    /** Words that say that something went wrong that nobody foresaw. */
    private static final Set<String> UNFORESEEN = Set.of(Reason.INTERNAL_ERROR.word());

    private static final Set<String> DOCUMENTED =
            Arrays.stream(Reason.values())
                    .map(Reason::word)
                    .filter(word -> !UNFORESEEN.contains(word))
                    .collect(Collectors.toSet());

    private static final String PAUSED = "the sandbox was killed or reached its end of life";

    /** What somebody is told of whom it is not known what failed; programs see no more of it. */
    private static final String INTERNAL = "failed on our side";

    private static final Pattern ID = Pattern.compile("\\b[0-9a-z]{20}\\b|\\b[0-9a-f-]{36}\\b");

    private final Duration patience;
    private final Map<String, LongAdder> done = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> broken = new ConcurrentHashMap<>();
    private final Queue<String> undocumented = new ConcurrentLinkedQueue<>();
    private final Queue<String> late = new ConcurrentLinkedQueue<>();

    /**
     * @param patience how long a client waits for an answer
     */
    Ledger(Duration patience) {
        this.patience = patience;
    }

    /** What the call gave; empty when it was refused or its connection broke. */
    <T> Optional<T> ask(String what, Callable<T> call) throws Exception {
        long begin = System.nanoTime();
        try {
            var answer = call.call();
            count(done, what);
            return Optional.ofNullable(answer);
        } catch (E2bRefusal refusal) {
            refused(what, refusal);
            return Optional.empty();
        } catch (UncheckedIOException | CompletionException e) {
            if (e.getCause() instanceof HttpTimeoutException) {
                late.add(what + " was not answered");
            }
            count(broken, what + ": " + e.getCause().getClass().getSimpleName());
            return Optional.empty();
        } finally {
            var waited = Duration.ofNanos(System.nanoTime() - begin);
            if (waited.compareTo(patience) > 0) {
                late.add(what + " took " + waited);
            }
        }
    }

    /** What a program tells of a call; packages give no reason, but the status or the words. */
    void told(String what, Duration waited, String outcome, String words) {
        if (waited.compareTo(patience) > 0 || outcome.equals("late")) {
            late.add(what + " took " + waited + ": " + words);
        }
        switch (outcome) {
            case "done" -> count(done, what);
            case "refused" -> {
                count(refused, what + ": " + ID.matcher(words).replaceAll("..."));
                if (words.contains(INTERNAL) || words.endsWith(": ")) {
                    undocumented.add(what + ": " + words);
                }
            }
            default -> count(broken, what + ": " + words);
        }
    }

    /** Something that must not happen to any program. */
    void wrong(String what) {
        undocumented.add(what);
    }

    private void refused(String what, E2bRefusal refusal) {
        var word = word(refusal);
        count(refused, what + ": " + refusal.status() + " " + word);
        if (!DOCUMENTED.contains(word) && !word.equals(PAUSED)) {
            undocumented.add(what + ": " + refusal.getMessage());
        }
    }

    /** The reason in its own member, or how a stream of E2B says that its sandbox has paused. */
    private static String word(E2bRefusal refusal) {
        try {
            var json = new JsonPath(refusal.body());
            if (PAUSED.equals(json.getString("error.message"))) {
                return PAUSED;
            }
            var word = json.getString("reason");
            return word != null ? word : String.valueOf(json.<Object>get("$"));
        } catch (RuntimeException noJson) {
            return refusal.body();
        }
    }

    private static void count(Map<String, LongAdder> counts, String what) {
        counts.computeIfAbsent(what, key -> new LongAdder()).increment();
    }

    long done(String what) {
        return done.getOrDefault(what, new LongAdder()).sum();
    }

    void assertDocumented() {
        assertThat(undocumented).as("refusals without a documented reason").isEmpty();
    }

    /** What was in the middle of an answer may have lost the rest of it; nobody else has. */
    void assertUnbroken(int most) {
        assertThat(broken.values().stream().mapToLong(LongAdder::sum).sum())
                .as("connections that ended without an answer: " + broken)
                .isLessThanOrEqualTo(most);
    }

    void assertInTime() {
        assertThat(late).as("what clients waited for too long").isEmpty();
    }

    @Override
    public String toString() {
        return "done     %s%nrefused  %s%nbroken   %s"
                .formatted(new TreeMap<>(done), new TreeMap<>(refused), new TreeMap<>(broken));
    }
}
