package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Who a sandbox is to be from now on, and what its new processes get. */
public record Identity(
        String sandbox,
        String hostname,
        String machine,
        Map<String, String> environment,
        int processes,
        Instant now) {

    /** What could be done, what could not, and how far the sandbox's clock is ahead. */
    public record Report(List<String> done, List<String> failed, long clockSkewMillis) {
        static Report of(Members members) {
            return new Report(
                    members.texts("done"),
                    members.texts("failed"),
                    members.number("clockSkewMillis", 0));
        }
    }

    public Identity {
        if (!sandbox.matches("[A-Za-z0-9-]{1,63}") || !hostname.matches("[A-Za-z0-9-]{1,63}")) {
            throw new IllegalArgumentException(
                    "IDs and host names are up to 63 letters, digits and hyphens");
        }
        if (!machine.matches("[0-9a-f]{32}")) {
            throw new IllegalArgumentException("a machine ID is 32 hex digits");
        }
        if (processes < 1) {
            throw new IllegalArgumentException("at least one process must be allowed");
        }
        environment = Map.copyOf(environment);
        Objects.requireNonNull(now);
    }

    JsonObject json() {
        var env = Members.BUILDERS.createObjectBuilder();
        environment.forEach(env::add);
        return Members.BUILDERS
                .createObjectBuilder()
                .add("op", "identify")
                .add("sandbox", sandbox)
                .add("hostname", hostname)
                .add("machine", machine)
                .add("env", env)
                .add("processes", processes)
                .add("now", now.getEpochSecond() * 1_000_000_000L + now.getNano())
                .build();
    }
}
