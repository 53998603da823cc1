package dev.holdfast.operator;

import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Clock;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes samples; nothing is locked and nothing is changed. */
@Stateless
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class Samples {

    /** A queue with more than these is not counted to its end. */
    static final int MOST_MESSAGES = 1000;

    /**
     * Every part has an index of its own that holds only the rows in question; the projects have
     * one row each. {@code stored} counts what is saved until its objects are gone.
     */
    private static final String STATEMENT =
            """
            with stored as (
                select coalesce(sum(stored_bytes), 0) as bytes, coalesce(sum(stored_count), 0) as number,
                       coalesce(sum(paused_bytes), 0) as paused
                from project_usage),
            pending as (
                select count(*) as number, coalesce(sum(stored_bytes), 0) as bytes,
                       count(*) filter (where counted and kind <> 'PAUSE') as counted,
                       coalesce(sum(stored_bytes) filter (where counted and kind <> 'PAUSE'), 0) as counted_bytes,
                       coalesce(sum(stored_bytes) filter (where counted and kind = 'PAUSE'), 0) as paused_bytes
                from (select kind, stored_bytes, removal_reason <> 'FAILED' as counted
                      from snapshot where state = 'CLEANUP_PENDING') as waiting),
            uploading as (
                select count(*) as number,
                       count(*) filter (where phase = 'ACCEPTED') as unclaimed,
                       coalesce(extract(epoch from clock_timestamp()
                           - min(created_at) filter (where phase = 'ACCEPTED')), 0) as age
                from snapshot where state = 'UPLOADING'),
            reserved as (select coalesce(sum(bytes), 0) as bytes from reservation)
            select 'snapshot.bytes/saved', stored.bytes - pending.counted_bytes from stored, pending
            union all select 'snapshot.count/saved', stored.number - pending.counted from stored, pending
            union all select 'snapshot.bytes/paused', stored.paused - pending.paused_bytes from stored, pending
            union all select 'snapshot.bytes/cleanup_pending', bytes from pending
            union all select 'snapshot.count/cleanup_pending', number from pending
            union all select 'snapshot.bytes/uploading', bytes from reserved
            union all select 'snapshot.count/uploading', number from uploading
            union all select 'capture.unclaimed', unclaimed from uploading
            union all select 'capture.age', age from uploading
            union all select 'sandbox/' || lower(state), count(*) from sandbox where state <> 'ENDED' group by state
            union all select 'worker/' || case when lost_at is not null then 'lost'
                when lease_until <= clock_timestamp() then 'unreachable'
                when drained_at is not null then 'drained' when draining_at is not null then 'draining'
                when missing <> '' then 'unfit' else 'ready' end, count(*) from worker group by 1
            union all select 'audit.pending', count(*) from audit_pending
            union all select 'audit.broken', count(*) from audit_chain where broken_why is not null
            union all select 'job/' || jobname || '/' || lower(batchstatus), count(*)
                from job_execution join job_instance using (jobinstanceid)
                where endtime > localtimestamp - interval '1 hour' group by jobname, batchstatus
            """;

    @PersistenceContext EntityManager em;
    @Inject Clock clock;

    @Resource(lookup = "java:/JmsXA")
    ConnectionFactory broker;

    /** What the database says. */
    public Sample ofDatabase() {
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> rows = em.createNativeQuery(STATEMENT).getResultList();
        Map<String, Double> numbers = new HashMap<>();
        rows.forEach(row -> numbers.put((String) row[0], ((Number) row[1]).doubleValue()));
        return new Sample(numbers);
    }

    /** What waits in queues, and for how long the oldest does. */
    public Sample ofQueues(List<String> queues) throws JMSException {
        Map<String, Double> numbers = new HashMap<>();
        try (JMSContext jms = broker.createContext()) {
            for (String name : queues) {
                look(jms, name, numbers);
            }
        }
        return new Sample(numbers);
    }

    private void look(JMSContext jms, String name, Map<String, Double> numbers)
            throws JMSException {
        int messages = 0;
        long oldest = clock.millis();
        Queue queue = jms.createQueue(name);
        try (var browser = jms.createBrowser(queue)) {
            Enumeration<?> waiting = browser.getEnumeration();
            while (messages < MOST_MESSAGES && waiting.hasMoreElements()) {
                oldest = Math.min(oldest, ((Message) waiting.nextElement()).getJMSTimestamp());
                messages++;
            }
        }
        numbers.put("queue.depth/" + name, (double) messages);
        numbers.put("queue.age/" + name, (clock.millis() - oldest) / 1000.0);
    }
}
