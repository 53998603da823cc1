package dev.holdfast.job;

import dev.holdfast.event.Event;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Events;
import dev.holdfast.event.Notice;
import jakarta.batch.runtime.BatchStatus;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * What the job repository has of executions. Its tables are read past the job operator, which knows
 * neither pages nor nodes and takes all there ever was into memory.
 */
@Stateless
public class Executions {

    private static final String UNDER_WAY = "e.batchstatus in ('STARTING', 'STARTED', 'STOPPING')";

    /** Between its row and its first act an execution has no owner, but not for long. */
    private static final String JUST_MADE =
            "e.createtime > clock_timestamp() - interval '1 minute'";

    /** Some wait for a thread of the batch runtime while others take their time. */
    private static final String LONG_MADE = "e.createtime < clock_timestamp() - interval '1 hour'";

    /**
     * What a node runs that is gone nobody runs, whatever it wrote; which node it is says its
     * incarnation and not its name. One of an older build has no lease of this sort, and lives as
     * long as its worker does.
     */
    private static final String ALIVE =
            "(r.incarnation = :incarnation or coalesce("
                    + "(select n.lease_until > clock_timestamp()"
                    + " from job_node n where n.incarnation = r.incarnation),"
                    + " r.worker_id <> :node and exists (select 1 from worker w"
                    + " where w.id = r.worker_id and w.lease_until > clock_timestamp())))";

    private static final String SELECT =
            "select e.jobexecutionid, i.jobname, e.batchstatus, e.exitstatus, e.jobparameters,"
                    + " cast(e.createtime as timestamptz), cast(e.starttime as timestamptz),"
                    + " cast(e.endtime as timestamptz), r.worker_id,"
                    + " coalesce(sum(s.readcount), 0), coalesce(sum(s.writecount), 0),"
                    + " coalesce(sum(s.readskipcount + s.processskipcount + s.writeskipcount), 0),"
                    + " max(s.executionexception)"
                    + " from job_execution e"
                    + " join job_instance i on i.jobinstanceid = e.jobinstanceid"
                    + " left join job_run r on r.execution_id = e.jobexecutionid"
                    + " left join step_execution s on s.jobexecutionid = e.jobexecutionid"
                    + " where %s group by e.jobexecutionid, i.jobname, r.worker_id"
                    + " order by e.jobexecutionid desc";

    private static final String ORPHANS =
            "select e.jobexecutionid, i.jobname from job_execution e"
                    + " join job_instance i on i.jobinstanceid = e.jobinstanceid"
                    + " join job_run r on r.execution_id = e.jobexecutionid where "
                    + UNDER_WAY
                    + " and not "
                    + ALIVE
                    + " and %s order by 1";

    /** The same ring of two timers has the same next one. */
    private static final String RING =
            "insert into job_ring (job, next_at) values (:job, :next) on conflict (job)"
                    + " do update set next_at = excluded.next_at"
                    + " where job_ring.next_at <> excluded.next_at";

    @PersistenceContext EntityManager em;
    @Inject Events events;
    @Inject Incarnation here;

    /** The executions of a job, the newest first. */
    public List<Execution> list(Job job, Optional<Long> before, int most) {
        Query query =
                em.createNativeQuery(
                        SELECT.formatted(
                                "i.jobname = :job and e.jobexecutionid < :before"
                                        + " and e.jobexecutionid in (select x.jobexecutionid"
                                        + " from job_execution x join job_instance y"
                                        + " on y.jobinstanceid = x.jobinstanceid"
                                        + " where y.jobname = :job and x.jobexecutionid < :before"
                                        + " order by x.jobexecutionid desc limit :most)"));
        query.setParameter("job", job.id());
        query.setParameter("before", before.orElse(Long.MAX_VALUE));
        query.setParameter("most", most);
        return read(query);
    }

    public Optional<Execution> find(Job job, long id) {
        Query query =
                em.createNativeQuery(
                        SELECT.formatted("i.jobname = :job and e.jobexecutionid = :id"));
        query.setParameter("job", job.id());
        query.setParameter("id", id);
        return read(query).stream().findFirst();
    }

    /** One that a node left in the middle that is gone, or an earlier incarnation of this one. */
    public record Orphan(long id, String job) {}

    /**
     * The executions of a job that are really under way: what a node ran that is gone, is not,
     * whatever it wrote.
     */
    public List<Long> running(Job job) {
        return underWay(
                job,
                "case when r.execution_id is null then " + JUST_MADE + " else " + ALIVE + " end");
    }

    /** Those of them that have begun to do anything. */
    public List<Long> begun(Job job) {
        return underWay(job, "r.execution_id is not null and " + ALIVE);
    }

    private List<Long> underWay(Job job, String really) {
        return ids(
                em.createNativeQuery(
                                "select e.jobexecutionid from job_execution e"
                                        + " join job_instance i"
                                        + " on i.jobinstanceid = e.jobinstanceid"
                                        + " left join job_run r"
                                        + " on r.execution_id = e.jobexecutionid"
                                        + " where i.jobname = :job and "
                                        + UNDER_WAY
                                        + " and "
                                        + really
                                        + " order by 1",
                                Long.class)
                        .setParameter("job", job.id())
                        .setParameter("node", here.node())
                        .setParameter("incarnation", here.id()));
    }

    /** What nodes ran that ended without a word; what is run by one that lives is its own. */
    public List<Orphan> orphans() {
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> rows =
                em.createNativeQuery(ORPHANS.formatted("true"))
                        .setParameter("node", here.node())
                        .setParameter("incarnation", here.id())
                        .getResultList();
        return rows.stream()
                .map(row -> new Orphan(((Number) row[0]).longValue(), (String) row[1]))
                .toList();
    }

    /** Whether nobody has dealt with it since. */
    public boolean isOrphan(long execution) {
        return !em.createNativeQuery(ORPHANS.formatted("e.jobexecutionid = :id"))
                .setParameter("node", here.node())
                .setParameter("incarnation", here.id())
                .setParameter("id", execution)
                .getResultList()
                .isEmpty();
    }

    /** What this incarnation began and somebody has given up. */
    public List<Long> takenOver() {
        return ids(
                em.createNativeQuery(
                                "select r.execution_id from job_run r join job_execution e"
                                        + " on e.jobexecutionid = r.execution_id"
                                        + " where r.incarnation = :incarnation"
                                        + " and e.batchstatus = 'FAILED'",
                                Long.class)
                        .setParameter("incarnation", here.id()));
    }

    /** This node runs it from now on. */
    public void own(long execution, String job) {
        em.createNativeQuery(
                        "insert into job_run (execution_id, worker_id, incarnation)"
                                + " values (:id, :node, :incarnation) on conflict (execution_id)"
                                + " do update set worker_id = excluded.worker_id,"
                                + " incarnation = excluded.incarnation")
                .setParameter("id", execution)
                .setParameter("node", here.node())
                .setParameter("incarnation", here.id())
                .executeUpdate();
        tell(Notice.ofService(EventType.JOB_STARTED, execution).with("job", job));
    }

    /** It is over on this node. */
    public void ended(long execution, String job, EventType how, String outcome) {
        tell(Notice.ofService(how, execution).with("job", job).with("outcome", outcome));
    }

    /** Nobody goes on with it; the words become its exit status. */
    public void giveUp(long execution, String why) {
        em.createNativeQuery(
                        "update job_execution set batchstatus = 'FAILED', exitstatus = :why,"
                                + " endtime = clock_timestamp() where jobexecutionid = :id")
                .setParameter("id", execution)
                .setParameter("why", Outcome.cut(why))
                .executeUpdate();
        tell(
                Notice.ofService(EventType.JOB_FAILED, execution)
                        .with("job", name(execution))
                        .with("outcome", why));
    }

    private void tell(Notice notice) {
        events.publish(new Event(Event.job(notice.subject()), notice.type().word(), notice));
    }

    private String name(long execution) {
        return (String)
                em.createNativeQuery(
                                "select i.jobname from job_instance i join job_execution e"
                                        + " on e.jobinstanceid = i.jobinstanceid"
                                        + " where e.jobexecutionid = :id",
                                String.class)
                        .setParameter("id", execution)
                        .getSingleResult();
    }

    /** Those that never began, because the node that made them ended first. */
    public List<Long> stillborn() {
        return ids(
                em.createNativeQuery(
                        "select e.jobexecutionid from job_execution e where "
                                + UNDER_WAY
                                + " and "
                                + LONG_MADE
                                + " and not exists (select 1 from job_run r"
                                + " where r.execution_id = e.jobexecutionid)",
                        Long.class));
    }

    /** The runs of jobs whose executions all ended before that, and how many executions. */
    public long purge(Duration before, boolean dry) {
        String old =
                "from job_instance i where exists (select 1 from job_execution e"
                        + " where e.jobinstanceid = i.jobinstanceid)"
                        + " and not exists (select 1 from job_execution e"
                        + " where e.jobinstanceid = i.jobinstanceid and (e.endtime is null"
                        + " or e.endtime > clock_timestamp() - make_interval(secs => :age)))";
        long count =
                ((Number)
                                em.createNativeQuery("select count(*) " + old)
                                        .setParameter("age", (double) before.toSeconds())
                                        .getSingleResult())
                        .longValue();
        if (!dry) {
            em.createNativeQuery("delete " + old)
                    .setParameter("age", (double) before.toSeconds())
                    .executeUpdate();
            em.createNativeQuery(
                            "delete from job_run r where not exists (select 1 from job_execution e"
                                    + " where e.jobexecutionid = r.execution_id)")
                    .executeUpdate();
        }
        return count;
    }

    /**
     * A timer of this job rings. Nodes that start at the same moment may make a timer each.
     *
     * @param next when it rings next
     * @return false when another timer's ring of this moment was heard before
     */
    public boolean hear(Job job, Instant next) {
        return em.createNativeQuery(RING)
                        .setParameter("job", job.id())
                        .setParameter("next", next)
                        .executeUpdate()
                > 0;
    }

    /**
     * Until the end of the caller's transaction nobody else decides whether this job is started.
     */
    public void lock(Job job) {
        em.createNativeQuery("select 1 from (select pg_advisory_xact_lock(hashtext(:name))) l")
                .setParameter("name", "job:" + job.id())
                .getSingleResult();
    }

    private static List<Long> ids(Query query) {
        List<?> rows = query.getResultList();
        return rows.stream().map(Long.class::cast).toList();
    }

    private static List<Execution> read(Query query) {
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> rows = query.getResultList();
        return rows.stream().map(Executions::execution).toList();
    }

    private static Execution execution(Object[] row) {
        return new Execution(
                ((Number) row[0]).longValue(),
                Job.of((String) row[1]).orElseThrow(),
                BatchStatus.valueOf((String) row[2]),
                Optional.ofNullable((String) row[3]),
                Optional.ofNullable((String) row[12]).map(Executions::firstLine),
                parameters((String) row[4]),
                new Execution.Counts(
                        ((Number) row[9]).longValue(),
                        ((Number) row[10]).longValue(),
                        ((Number) row[11]).longValue()),
                (Instant) row[5],
                Optional.ofNullable((Instant) row[6]),
                Optional.ofNullable((Instant) row[7]),
                Optional.ofNullable((String) row[8]));
    }

    /** The repository writes a line each, {@code name = value}. */
    private static Map<String, String> parameters(String text) {
        Properties all = new Properties();
        try {
            all.load(new StringReader(text == null ? "" : text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Order.given(all);
    }

    private static String firstLine(String trace) {
        return trace.lines().findFirst().orElse("");
    }
}
