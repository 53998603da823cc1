package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.Optional;

/**
 * What a body asks to change of a sandbox: one thing at a time, since each is a change of its own.
 *
 * @param timeout whether it is its lifetime; else it is its idle time
 * @param length empty: as long as it lives
 */
record SandboxChange(boolean timeout, Optional<Duration> length) {

    private static final String IDLE = "idleTimeout";
    private static final String TIMEOUT = "timeout";

    static SandboxChange read(JsonValue body, Duration longest) {
        JsonObject members =
                body instanceof JsonObject object && object.size() == 1
                        ? object
                        : JsonValue.EMPTY_JSON_OBJECT;
        if (members.containsKey(TIMEOUT)) {
            return new SandboxChange(true, seconds(members.get(TIMEOUT), longest))
                    .orRefused(longest);
        }
        if (members.get(IDLE) == JsonValue.NULL) {
            return new SandboxChange(false, Optional.empty());
        }
        return new SandboxChange(false, seconds(members.get(IDLE), longest)).orRefused(longest);
    }

    private static Optional<Duration> seconds(JsonValue value, Duration longest) {
        return value instanceof JsonNumber number
                        && number.isIntegral()
                        && number.bigIntegerValue().bitLength() < 63
                        && number.longValue() >= 1
                        && number.longValue() <= longest.toSeconds()
                ? Optional.of(Duration.ofSeconds(number.longValue()))
                : Optional.empty();
    }

    private SandboxChange orRefused(Duration longest) {
        if (length.isPresent()) {
            return this;
        }
        throw Problem.invalid(
                timeout ? TIMEOUT : IDLE,
                "What can be changed is either \"timeout\", a number of seconds from now from 1 to "
                        + longest.toSeconds()
                        + ", or \"idleTimeout\", the same or null.");
    }
}
