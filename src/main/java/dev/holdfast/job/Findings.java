package dev.holdfast.job;

import dev.holdfast.database.DatabaseTime;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the last run of each job found. Written in transactions of its own: a finding stays although
 * what led to it is rolled back.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class Findings {

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;

    /** A new run begins; what the last one found is forgotten. */
    public void begin(String job) {
        em.createNativeQuery("delete from finding where job = :job")
                .setParameter("job", job)
                .executeUpdate();
    }

    public void add(String job, Finding finding) {
        em.createNativeQuery(
                        "insert into finding (job, subject, reason, detail, objects, bytes, found_at)"
                                + " values (:job, :subject, :reason, :detail, :objects, :bytes,"
                                + " clock_timestamp()) on conflict (job, subject, reason) do update set"
                                + " detail = excluded.detail,"
                                + " objects = excluded.objects, bytes = excluded.bytes,"
                                + " found_at = excluded.found_at")
                .setParameter("job", job)
                .setParameter("subject", finding.subject())
                .setParameter("reason", finding.reason())
                .setParameter("detail", finding.detail())
                .setParameter("objects", finding.objects())
                .setParameter("bytes", finding.bytes())
                .executeUpdate();
    }

    /** What the last run of a job found, by subject and reason. */
    public List<Finding.Found> list(String job, Optional<Finding.Place> after, int most) {
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> rows =
                em.createNativeQuery(
                                "select subject, reason, detail, objects, bytes, found_at"
                                        + " from finding where job = :job"
                                        + " and (subject, reason) > (:subject, :reason)"
                                        + " order by subject, reason")
                        .setParameter("job", job)
                        .setParameter("subject", after.map(Finding.Place::subject).orElse(""))
                        .setParameter("reason", after.map(Finding.Place::reason).orElse(""))
                        .setMaxResults(most)
                        .getResultList();
        return rows.stream()
                .map(
                        row ->
                                new Finding.Found(
                                        new Finding(
                                                (String) row[0],
                                                (String) row[1],
                                                (String) row[2],
                                                ((Number) row[3]).longValue(),
                                                ((Number) row[4]).longValue()),
                                        (Instant) row[5]))
                .toList();
    }

    public long count(String job) {
        return ((Number)
                        em.createNativeQuery("select count(*) from finding where job = :job")
                                .setParameter("job", job)
                                .getSingleResult())
                .longValue();
    }

    /** One line for whoever looks at the job: each reason, how often, and the bytes it is about. */
    public String summary(String job) {
        @SuppressWarnings("unchecked") // a native query knows no types
        List<Object[]> rows =
                em.createNativeQuery(
                                "select reason, count(*), cast(sum(bytes) as bigint) from finding"
                                        + " where job = :job group by reason order by reason")
                        .setParameter("job", job)
                        .getResultList();
        return rows.isEmpty()
                ? "nothing found"
                : rows.stream()
                        .map(row -> row[0] + " " + row[1] + " (" + row[2] + " bytes)")
                        .collect(Collectors.joining(", "));
    }
}
