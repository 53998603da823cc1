package dev.holdfast.job;

import static dev.holdfast.job.Parameter.CHUNK_SIZE;
import static dev.holdfast.job.Parameter.DRY_RUN;
import static dev.holdfast.job.Parameter.PROJECT;
import static dev.holdfast.job.Parameter.olderThan;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The jobs there are. A new one is a line here and a file of the same name in {@code
 * META-INF/batch-jobs}; a calendar is {@code second minute hour}, and {@link #MANUAL} has none.
 */
public enum Job {
    REAP_LOST_WORKERS("*/5 * *", Runs.ONE, "Ends the sandboxes of workers that are lost"),
    REAP_STALLED_CAPTURES(
            "*/5 * *", Runs.ONE, "Fails captures past their deadline or of an unreachable worker"),
    EXPIRE_SNAPSHOTS(
            "10 * *",
            Runs.MANY,
            "Sends expired snapshots that nobody occupies to their clean-up",
            PROJECT,
            olderThan("PT0S", "since when they have expired"),
            CHUNK_SIZE,
            DRY_RUN),
    APPLY_RETENTION(
            "0 22 3",
            Runs.ONE,
            "Sends the snapshots to their clean-up that the policies of their projects do not keep",
            PROJECT,
            CHUNK_SIZE,
            DRY_RUN),
    PURGE_TRASH(
            "35 * *",
            Runs.MANY,
            "Sends to its clean-up what has been in the trash for its time",
            PROJECT,
            olderThan("PT0S", "since when its time is over"),
            CHUNK_SIZE,
            DRY_RUN),
    CLEAR_AUTOSAVES(
            "45 * *", Runs.ONE, "Lets automatic captures go that are more than their policy keeps"),
    WARN_OF_EXPIRY("5 * *", Runs.ONE, "Warns of snapshots that expire soon"),
    WRITE_AMENDMENTS(
            "25 * *",
            Runs.ONE,
            "Writes to the store what was changed of snapshots and is not there yet",
            new Parameter("most", Parameter.Kind.COUNT, "10000", "how many at the most")),
    CLEAN_UP_OBJECTS(
            "*/15 * *",
            Runs.MANY,
            "Removes the stored objects of removed snapshots, then their rows",
            PROJECT,
            olderThan("PT0S", "since when they are removed"),
            CHUNK_SIZE,
            DRY_RUN),
    SWEEP_ORPHANS(
            "0 17 *",
            Runs.ONE,
            "Compares store and catalogue: objects without rows, rows without objects",
            new Parameter(
                    "delete",
                    Parameter.Kind.FLAG,
                    "false",
                    "remove objects of which the catalogue knows nothing"),
            new Parameter(
                    "age",
                    Parameter.Kind.DURATION,
                    null,
                    "how old such objects must be; the grace time of uploads unless said"),
            DRY_RUN),
    VERIFY_PARTS(
            "0 27 *",
            Runs.ONE,
            "Reads the stored parts of snapshots and compares their digests",
            new Parameter("most", Parameter.Kind.COUNT, "500", "how many snapshots at the most"),
            new Parameter(
                    "bytes",
                    Parameter.Kind.COUNT,
                    "107374182400",
                    "how many stored bytes at the most; one snapshot is always read"),
            new Parameter(
                    "unread",
                    Parameter.Kind.DURATION,
                    "P7D",
                    "for how long nobody must have read them")),
    PURGE_BLOBS(
            "0 47 *",
            Runs.ONE,
            "Removes runtime builds and template images that nobody needs",
            new Parameter(
                    "grace",
                    Parameter.Kind.DURATION,
                    "PT24H",
                    "for how long nobody must have published them")),
    RECONCILE_USAGE(
            "0 57 *",
            Runs.ONE,
            "Compares what projects are charged with what they have, and puts it right",
            PROJECT,
            new Parameter("most", Parameter.Kind.COUNT, "500", "how many projects at the most"),
            DRY_RUN),
    PURGE_AUDIT("0 12 *", Runs.ONE, "Forgets what was done longer ago than the audit is kept"),
    VERIFY_AUDIT("0 42 4", Runs.ONE, "Recomputes the hash chains of the audit", PROJECT),
    PURGE_EVENTS("0 22 *", Runs.ONE, "Forgets what happened longer ago than events are kept"),
    PURGE_METRICS("0 37 *", Runs.ONE, "Forgets what sandboxes used long ago"),
    PURGE_TEMPLATES(
            "20 * *", Runs.ONE, "Fails overdue builds, removes images of deleted templates"),
    PURGE_TOMBSTONES(
            "0 7 *",
            Runs.ONE,
            "Forgets what became of snapshots that were removed long ago",
            olderThan("P30D", "since when they are removed"),
            DRY_RUN),
    PURGE_EXECUTIONS(
            "0 57 *",
            Runs.ONE,
            "Forgets executions of jobs that ended long ago",
            olderThan("P30D", "since when they have ended"),
            DRY_RUN),
    IMPORT_CATALOGUE(Job.MANUAL, Runs.ONE, "Makes the rows of snapshots that only the store knows");

    /** No calendar: only a person starts it. */
    static final String MANUAL = "off";

    /** Whether another execution may be started while one is under way. */
    enum Runs {
        ONE,
        MANY
    }

    private final String calendar;
    private final Runs runs;
    private final String summary;
    private final List<Parameter> parameters;

    Job(String calendar, Runs runs, String summary, Parameter... parameters) {
        this.calendar = calendar;
        this.runs = runs;
        this.summary = summary;
        this.parameters = List.of(parameters);
    }

    public static Optional<Job> of(String id) {
        return Arrays.stream(values()).filter(job -> job.id().equals(id)).findFirst();
    }

    /** Its name everywhere: {@code expire-snapshots}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What its timer has unless the settings say otherwise. */
    String calendar() {
        return calendar;
    }

    public String summary() {
        return summary;
    }

    public List<Parameter> parameters() {
        return parameters;
    }

    public Optional<Parameter> parameter(String name) {
        return parameters.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /** Whether two executions at once share the work; what is found is the last one's. */
    public boolean isStartableTwice() {
        return runs == Runs.MANY;
    }

    /** Why it may not be started: one execution does it already. */
    Problem underWay(long execution) {
        return new Problem(
                        Reason.JOB_RUNNING,
                        "The job %s is under way as execution %d. Wait for its end, or stop it."
                                .formatted(this, execution))
                .with("execution", execution);
    }

    @Override
    public String toString() {
        return id();
    }
}
