package dev.holdfast.sandbox;

import dev.holdfast.access.ProjectId;
import jakarta.ejb.Stateless;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what many sandboxes of a project used, at once and thinned out, for small plots. */
@Stateless
public class MetricSeriesReader {

    private static final String SERIES =
            "select m.sandbox_id, date_bin(make_interval(secs => :step), m.taken_at,"
                    + " timestamp with time zone 'epoch') as at, avg(m.cpu_used_pct) as used,"
                    + " cast(avg(m.mem_used) as bigint) as mem,"
                    + " cast(avg(m.disk_used) as bigint) as disk, max(m.cpu_count) as cpus,"
                    + " max(m.mem_total) as mem_total, max(m.disk_total) as disk_total"
                    + " from sandbox_metric m join sandbox s on s.id = m.sandbox_id"
                    + " where s.project_id = :project and s.id in (:ids) and m.taken_at >= :start"
                    + " group by 1, 2 order by 1, 2";

    @PersistenceContext EntityManager em;

    /** Those that have any; the sandboxes of other projects have none here. */
    @SuppressWarnings("unchecked")
    public List<MetricSeries> of(
            ProjectId project, Collection<SandboxId> ids, Instant start, Duration step) {
        if (ids.isEmpty()) {
            return List.of();
        }
        List<Tuple> rows =
                em.createNativeQuery(SERIES, Tuple.class)
                        .setParameter("step", (double) step.toSeconds())
                        .setParameter("project", project.value())
                        .setParameter("ids", ids.stream().map(SandboxId::value).toList())
                        .setParameter("start", start)
                        .getResultList();
        Map<String, List<Tuple>> bySandbox = new LinkedHashMap<>();
        rows.forEach(
                row ->
                        bySandbox
                                .computeIfAbsent(row.get(0, String.class), id -> new ArrayList<>())
                                .add(row));
        return bySandbox.entrySet().stream()
                .map(each -> series(new SandboxId(each.getKey()), each.getValue()))
                .toList();
    }

    private static MetricSeries series(SandboxId id, List<Tuple> rows) {
        Tuple last = rows.get(rows.size() - 1);
        return new MetricSeries(
                id,
                last.get("cpus", Integer.class),
                last.get("mem_total", Long.class),
                last.get("disk_total", Long.class),
                rows.stream().map(MetricSeriesReader::point).toList());
    }

    private static MetricSeries.Point point(Tuple row) {
        return new MetricSeries.Point(
                row.get("at", Instant.class),
                ((Number) row.get("used")).doubleValue(),
                row.get("mem", Long.class),
                row.get("disk", Long.class));
    }
}
