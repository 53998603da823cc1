package dev.holdfast.bench;

import java.util.ArrayList;
import java.util.List;

/** How long one thing took, many times. */
final class Sample {

    static final String HEADING =
            "%-48s %7s %7s %7s %7s%n".formatted("", "p50", "p95", "least", "most");

    private final String name;
    private final List<Long> nanos = new ArrayList<>();

    Sample(String name) {
        this.name = name;
    }

    void add(long elapsed) {
        nanos.add(elapsed);
    }

    void clear() {
        nanos.clear();
    }

    /** The smallest measured value that at least this share of all does not exceed. */
    double millis(double share) {
        var sorted = nanos.stream().sorted().toList();
        int rank = (int) Math.ceil(share * sorted.size());
        return sorted.get(Math.max(0, rank - 1)) / 1e6;
    }

    String line() {
        return "%-48s %7.0f %7.0f %7.0f %7.0f%n"
                .formatted(name, millis(0.5), millis(0.95), millis(0), millis(1));
    }

    /** As a rate, for so many bytes each time. */
    String rate(long bytes) {
        return "%-48s %7.0f %7.0f%n"
                .formatted(name, bytes / millis(0.5) / 1000, bytes / millis(0.95) / 1000);
    }

    String beside(Sample bare, String what, String aim) {
        double own = millis(0.5);
        double other = bare.millis(0.5);
        return "%-48s %6.2f  %+7.0f ms  %s%n".formatted(what, own / other, own - other, aim);
    }
}
