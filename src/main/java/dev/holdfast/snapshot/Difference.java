package dev.holdfast.snapshot;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a worker lacks to restore a saved state.
 *
 * @param what {@code architecture}, {@code platform}, {@code cpuFeatures}, {@code agentProtocol} or
 *     {@code stateFormat}
 * @param needed what the state needs; of processor features only those that are lacking
 * @param offered what the worker has instead; empty where it just lacks them
 */
public record Difference(String worker, String what, String needed, Optional<String> offered) {

    public Difference {
        Objects.requireNonNull(worker);
        Objects.requireNonNull(what);
        Objects.requireNonNull(needed);
        Objects.requireNonNull(offered);
    }

    String words() {
        return worker
                + " has "
                + offered.map(other -> "the " + what + " " + other + " instead of " + needed)
                        .orElse("not the " + what + " " + needed);
    }

    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("worker", worker);
        members.put("what", what);
        members.put("needed", needed);
        offered.ifPresent(other -> members.put("offered", other));
        return members;
    }
}
