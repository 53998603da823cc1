package dev.holdfast.api;

import dev.holdfast.autosave.CapturePolicy;
import dev.holdfast.problem.Problem;
import jakarta.json.JsonValue;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * When a sandbox is to be captured by itself. What is absent is not wanted.
 *
 * @param every after how many seconds, if something has changed; at least 60 unless the service has
 *     it otherwise
 * @param atTimeout before its timeout ends it
 * @param onKill before a kill ends it
 * @param onMemoryDanger when its memory is nearly full
 * @param memoryPercent how full that is; 90 if absent
 * @param keepLast how many are kept; 5 if absent
 * @param retention the seconds each is kept at most; as its project has it if absent
 */
@Schema(name = "CapturePolicyRequest", additionalProperties = Schema.False.class)
public record CapturePolicyRequest(
        @Schema(minimum = "1", maximum = "86400", examples = "600") Long every,
        @Schema(examples = "true") Boolean atTimeout,
        @Schema(examples = "true") Boolean onKill,
        Boolean onMemoryDanger,
        @Schema(minimum = "10", maximum = "99") Integer memoryPercent,
        @Schema(minimum = "1", maximum = "100", examples = "5") Integer keepLast,
        @Schema(minimum = "1") Long retention) {

    private static final String EVERY = "every";
    private static final String AT_TIMEOUT = "atTimeout";
    private static final String ON_KILL = "onKill";
    private static final String ON_DANGER = "onMemoryDanger";
    private static final String PERCENT = "memoryPercent";
    private static final String KEEP_LAST = "keepLast";
    private static final String RETENTION = "retention";

    static CapturePolicyRequest read(JsonValue body) {
        Asked asked =
                Asked.of(
                        body,
                        Set.of(
                                EVERY,
                                AT_TIMEOUT,
                                ON_KILL,
                                ON_DANGER,
                                PERCENT,
                                KEEP_LAST,
                                RETENTION));
        return new CapturePolicyRequest(
                asked.number(EVERY).orElse(null),
                asked.flag(AT_TIMEOUT).orElse(null),
                asked.flag(ON_KILL).orElse(null),
                asked.flag(ON_DANGER).orElse(null),
                small(asked, PERCENT),
                small(asked, KEEP_LAST),
                asked.number(RETENTION).orElse(null));
    }

    /** What is out of the bounds of the type is out of the policy's too. */
    private static Integer small(Asked asked, String name) {
        return asked.number(name)
                .map(number -> (int) Math.max(-1, Math.min(number, Integer.MAX_VALUE)))
                .orElse(null);
    }

    CapturePolicy policy() {
        boolean danger = Boolean.TRUE.equals(onMemoryDanger);
        if (memoryPercent != null && !danger) {
            throw Problem.invalid(PERCENT, "\"memoryPercent\" goes with \"onMemoryDanger\": true.");
        }
        return new CapturePolicy(
                every,
                Boolean.TRUE.equals(atTimeout),
                Boolean.TRUE.equals(onKill),
                danger ? or(memoryPercent, CapturePolicy.USUAL_PERCENT) : null,
                or(keepLast, CapturePolicy.USUALLY_KEPT),
                retention);
    }

    private static int or(Integer given, int usual) {
        return given == null ? usual : given;
    }
}
