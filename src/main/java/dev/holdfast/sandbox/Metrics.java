package dev.holdfast.sandbox;

import dev.holdfast.database.DatabaseTime;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What sandboxes used, as their workers wrote it down; kept for a day. */
@Stateless
public class Metrics {

    private static final Duration KEPT = Duration.ofDays(1);

    /** Nearly an hour and a half at one every five seconds. */
    private static final int MOST = 1000;

    @PersistenceContext EntityManager em;
    @Inject DatabaseTime time;

    /** One of the same moment that is there already stays. */
    public void record(List<Metric> taken) {
        for (Metric each : taken) {
            em.createNativeQuery(
                            "insert into sandbox_metric values (:sandbox, :at, :cpus, :used, :mem,"
                                    + " :memTotal, :cache, :disk, :diskTotal) on conflict do nothing")
                    .setParameter("sandbox", each.sandbox().value())
                    .setParameter("at", each.at())
                    .setParameter("cpus", each.cpuCount())
                    .setParameter("used", each.cpuUsedPct())
                    .setParameter("mem", each.memUsed())
                    .setParameter("memTotal", each.memTotal())
                    .setParameter("cache", each.memCache())
                    .setParameter("disk", each.diskUsed())
                    .setParameter("diskTotal", each.diskTotal())
                    .executeUpdate();
        }
    }

    /** The newest of a span of time, at most 1000, in the order of time. */
    @SuppressWarnings("unchecked")
    public List<Metric> of(SandboxId id, Optional<Instant> start, Optional<Instant> end) {
        List<Tuple> rows =
                em.createNativeQuery(
                                "select taken_at, cpu_count, cpu_used_pct, mem_used, mem_total,"
                                        + " mem_cache, disk_used, disk_total from sandbox_metric"
                                        + " where sandbox_id = :id and taken_at >= :start"
                                        + " and taken_at <= :end order by taken_at desc",
                                Tuple.class)
                        .setParameter("id", id.value())
                        .setParameter("start", start.orElse(Instant.EPOCH))
                        .setParameter("end", end.orElseGet(time::now))
                        .setMaxResults(MOST)
                        .getResultList();
        List<Metric> metrics = new ArrayList<>(rows.stream().map(row -> metric(id, row)).toList());
        Collections.reverse(metrics);
        return List.copyOf(metrics);
    }

    /** Forgets what is older than a day. */
    public int purge() {
        return em.createNativeQuery("delete from sandbox_metric where taken_at < :before")
                .setParameter("before", time.now().minus(KEPT))
                .executeUpdate();
    }

    private static Metric metric(SandboxId id, Tuple row) {
        return new Metric(
                id,
                row.get(0, Instant.class),
                row.get(1, Integer.class),
                row.get(2, Float.class),
                row.get(3, Long.class),
                row.get(4, Long.class),
                row.get(5, Long.class),
                row.get(6, Long.class),
                row.get(7, Long.class));
    }
}
