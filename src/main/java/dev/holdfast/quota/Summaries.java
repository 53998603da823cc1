package dev.holdfast.quota;

import static dev.holdfast.quota.Columns.number;

import dev.holdfast.access.Allowance;
import dev.holdfast.access.ProjectId;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What projects may store and store. */
@Stateless
public class Summaries {

    /**
     * One statement, so that all figures belong to one moment. What is saved is what the counters
     * say without what is none of it: that is what limits are judged by, and nobody has to read a
     * million rows.
     */
    private static final String SUMMARY =
            """
            select statement_timestamp() as now,
                p.plan_bytes, p.plan_snapshots, p.plan_live_sandboxes, p.plan_lifetime_seconds,
                p.service_bytes, p.service_snapshots, p.service_live_sandboxes,
                p.service_lifetime_seconds,
                coalesce(u.stored_bytes, 0) as stored_bytes,
                coalesce(u.stored_count, 0) as stored_count,
                coalesce(u.paused_bytes, 0) as paused_bytes,
                held.bytes as held_bytes, held.number as held_count,
                aside.paused_count, aside.trash_bytes, aside.trash_count,
                aside.cleanup_bytes, aside.cleanup_count, aside.cleanup_paused_bytes,
                aside.failing, aside.error, aside.next_at,
                expired.bytes as expired_bytes, expired.number as expired_count, expired.occupied,
                live.number as live
            from project p
            left join project_usage u on u.project_id = p.id
            cross join (
                select count(*) as number, cast(coalesce(sum(bytes), 0) as bigint) as bytes
                from reservation where project_id = :project
            ) held
            cross join (
                select count(*) filter (where state = 'SAVED' and kind = 'PAUSE') as paused_count,
                    cast(coalesce(sum(bytes) filter (where state = 'TRASHED'), 0) as bigint)
                        as trash_bytes,
                    count(*) filter (where state = 'TRASHED') as trash_count,
                    cast(coalesce(sum(bytes) filter (where state = 'CLEANUP_PENDING'
                        and kind <> 'PAUSE'), 0) as bigint) as cleanup_bytes,
                    count(*) filter (where state = 'CLEANUP_PENDING' and kind <> 'PAUSE')
                        as cleanup_count,
                    cast(coalesce(sum(bytes) filter (where state = 'CLEANUP_PENDING'
                        and kind = 'PAUSE'), 0) as bigint) as cleanup_paused_bytes,
                    count(cleanup_error) as failing,
                    (array_agg(cleanup_error order by cleanup_attempts desc, cleanup_after desc)
                        filter (where cleanup_error is not null))[1] as error,
                    min(cleanup_after) filter (where cleanup_error is not null) as next_at
                from snapshot_charge
                where project_id = :project and (state <> 'SAVED' or kind not in ('SNAPSHOT', 'AUTO'))
            ) aside
            cross join (
                select cast(coalesce(sum(bytes) filter (where not is_occupied), 0) as bigint)
                        as bytes,
                    count(*) filter (where not is_occupied) as number,
                    count(*) filter (where is_occupied) as occupied
                from (
                    select bytes, snapshot_id in (
                        select b.snapshot_id from sandbox b where b.project_id = :project
                            and b.state <> 'ENDED' and b.snapshot_id is not null) as is_occupied
                    from snapshot_charge
                    where project_id = :project and state = 'SAVED' and kind in ('SNAPSHOT', 'AUTO')
                        and expires_at <= statement_timestamp()
                ) each
            ) expired
            cross join (
                select count(*) as number from sandbox
                where project_id = :project and state <> 'ENDED'
            ) live
            where p.id = :project
            """;

    @PersistenceContext EntityManager em;
    @Inject QuotaConfig config;

    public Summary of(ProjectId project) {
        Tuple row =
                (Tuple)
                        em.createNativeQuery(SUMMARY, Tuple.class)
                                .setParameter("project", project.value())
                                .getSingleResult();
        Charge trash = charge(row, "trash");
        Charge cleanup = charge(row, "cleanup");
        Charge cleanedPauses = new Charge(number(row, "cleanup_paused_bytes"), 0);
        return new Summary(
                row.get("now", Instant.class),
                allowance(row, "plan"),
                Optional.ofNullable(row.get("service_bytes")).map(set -> allowance(row, "service")),
                charge(row, "stored").minus(trash).minus(cleanup),
                charge(row, "held"),
                charge(row, "paused").minus(cleanedPauses),
                trash,
                new Summary.Cleanup(
                        cleanup.plus(cleanedPauses),
                        number(row, "failing"),
                        Optional.ofNullable(row.get("error", String.class)),
                        Optional.ofNullable(row.get("next_at", Instant.class))),
                new Summary.Expired(charge(row, "expired"), number(row, "occupied")),
                number(row, "live"));
    }

    /** What of it somebody should be warned of. */
    public List<Gauge> warnings(Summary summary) {
        return summary.warnings(config.warningPercent());
    }

    private static Allowance allowance(Tuple row, String whose) {
        return new Allowance(
                number(row, whose + "_bytes"),
                (int) number(row, whose + "_snapshots"),
                (int) number(row, whose + "_live_sandboxes"),
                Duration.ofSeconds(number(row, whose + "_lifetime_seconds")));
    }

    private static Charge charge(Tuple row, String what) {
        return new Charge(number(row, what + "_bytes"), number(row, what + "_count"));
    }
}
