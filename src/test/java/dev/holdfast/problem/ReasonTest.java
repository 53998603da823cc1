package dev.holdfast.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReasonTest {
    /** The table of the HTTP design, word for word. */
    private static final Map<Integer, String> PUBLISHED =
            Map.of(
                    400,
                    "malformed_reference malformed_name override_forbidden invalid_parameter"
                            + " unsupported_parameter",
                    401,
                    "unauthenticated",
                    403,
                    "permission_missing quota_bytes_exceeded quota_count_exceeded",
                    404,
                    "sandbox_not_found snapshot_not_found template_not_found snapshot_expired"
                            + " snapshot_deleted",
                    409,
                    "sandbox_not_running sandbox_busy name_taken project_unnamed"
                            + " snapshot_occupied snapshot_pinned snapshot_held snapshot_not_saved"
                            + " incompatible_runtime volume_elsewhere generation_unsupported"
                            + " template_deleted worker_busy",
                    503,
                    "no_worker worker_busy broker_unavailable",
                    504,
                    "capture_in_progress");

    @Test
    void hasEveryPublishedWordUnderItsStatus() {
        var words =
                Arrays.stream(Reason.values())
                        .collect(
                                Collectors.groupingBy(
                                        Reason::status,
                                        TreeMap::new,
                                        Collectors.mapping(Reason::word, Collectors.toList())));
        PUBLISHED.forEach(
                (status, published) ->
                        assertThat(words.get(status)).contains(published.split(" ")));
    }

    @Test
    void namesNoWordTwiceUnderOneStatus() {
        assertThat(Arrays.stream(Reason.values()).map(r -> r.status() + r.word()))
                .doesNotHaveDuplicates();
    }

    @Test
    void findsAReasonOfTheSameStatusForWhatThePlatformRefuses() {
        for (int status : new int[] {400, 401, 403, 404, 405, 406, 413, 415, 429, 500}) {
            assertThat(Reason.ofStatus(status).status()).isEqualTo(status);
        }
    }

    @Test
    void hidesOtherServerFailuresBehindOneReason() {
        assertThat(Reason.ofStatus(501)).isEqualTo(Reason.INTERNAL_ERROR);
        assertThat(Reason.ofStatus(418)).isEqualTo(Reason.INVALID_PARAMETER);
    }
}
