package dev.holdfast.job;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.api.NativeClient;
import dev.holdfast.run.AnotherNode;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.SharedServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the calendar starts on two nodes with one database, where there is the time for another. */
class RingsIT {

    private static final int RINGS = 50;

    /** It always runs, and every other second here. */
    private static final Job JOB = Job.PURGE_EVENTS;

    private static final String HEARD =
            "select r.next_at || ' after ' || (select count(*) from job_execution e"
                    + " join job_instance i on i.jobinstanceid = e.jobinstanceid"
                    + " where i.jobname = r.job) from job_ring r where r.job = '"
                    + JOB.id()
                    + "'";

    private final NativeClient api = new NativeClient();

    @Test
    @Tag("R53")
    @Tag("F10")
    void startsEachRunOnce() throws Exception {
        assumeTrue(Integer.getInteger("holdfast.repeat", 2) >= 10, "a boot: in full runs");
        var second = LocalServer.of(AnotherNode.beside("rings", 910, Map.of())).forget();
        try {
            second.start();
            for (var node : List.of(SharedServer.get(), second)) {
                var told = expect(200, new AdminClient(node).get("/jobs/" + JOB));
                assertThat(told.getString("calendar")).isEqualTo("*/2 * *");
                assertThat(told.getString("nextRunAt")).as("it has the timer").isNotNull();
            }
            var heard = rings(api.value(HEARD));
            long before = executions(heard);
            for (int ring = 1; ring <= RINGS; ring++) {
                heard = rings(heard);
                assertThat(executions(heard) - before).as("after ring %d", ring).isEqualTo(ring);
            }
        } finally {
            second.stop();
            second.erase();
        }
    }

    /** What is heard is written together with the start. */
    private String rings(String before) throws Exception {
        return await(
                "it rings",
                () -> api.value(HEARD),
                now -> now != null && !moment(now).equals(moment(before)));
    }

    private static String moment(String heard) {
        return heard == null ? "" : heard.substring(0, heard.indexOf(" after "));
    }

    private static long executions(String heard) {
        return Long.parseLong(heard.substring(heard.lastIndexOf(' ') + 1));
    }
}
