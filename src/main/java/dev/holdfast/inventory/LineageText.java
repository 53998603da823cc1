package dev.holdfast.inventory;

import dev.holdfast.snapshot.Kind;

/** The statements of {@link Lineages}. Each looks only at what an index leads it to. */
final class LineageText {

    /**
     * A snapshot and its ancestors, the nearest first. Bounded, so that also a circle, which only a
     * broken import could make, has an end.
     */
    static final String LINE =
            """
            with recursive up (id, depth) as (
                select cast(:id as uuid), 0
                union all
                select coalesce(s.parent_id, t.parent_id), u.depth + 1 from up u
                left join snapshot s on s.id = u.id and s.project_id = :project
                left join tombstone t on t.snapshot_id = u.id and t.project_id = :project
                where u.depth <= :deepest and coalesce(s.parent_id, t.parent_id) is not null
            )
            select 'SNAPSHOT' as type, cast(u.id as text) as id,
                case when s.id is null then case when t.snapshot_id is null then 'GONE' else 'REMOVED' end
                    when s.state = 'SAVED' and s.expires_at <= clock_timestamp() then 'EXPIRED'
                    else s.state end as state,
                coalesce(s.kind, t.kind) as kind,
                cast(coalesce(s.parent_id, t.parent_id) as text) as parent,
                coalesce(s.short_name, t.short_name) as short_name, coalesce(s.tag, t.tag) as tag,
                coalesce(s.source_sandbox_id, t.source_sandbox_id) as source, false as forked,
                coalesce(s.created_at, t.started_at) as created_at, s.stored_bytes as bytes,
                coalesce(s.removal_reason, t.reason,
                    case when s.expires_at <= clock_timestamp() then 'EXPIRED' end) as reason,
                coalesce(s.removed_at, t.expired_at, t.removed_at, s.expires_at) as removed_at,
                false as fruitful
            from up u
            left join snapshot s on s.id = u.id and s.project_id = :project
            left join tombstone t on t.snapshot_id = u.id and t.project_id = :project
            order by u.depth
            """;

    /** What descends from a snapshot by one step, removed snapshots and live sandboxes included. */
    static final String CHILDREN =
            """
            select c.*, exists (select 1 from snapshot x
                    where x.parent_id = c.as_parent and x.kind in %4$s
                    and x.removal_reason is distinct from 'FAILED')
                or exists (select 1 from tombstone x
                    where x.parent_id = c.as_parent and x.kind in %4$s
                    and x.reason <> 'FAILED')
                or exists (select 1 from sandbox x
                    where x.parent_id = c.as_parent and x.state <> 'ENDED') as fruitful
            from (
                (select 'SNAPSHOT' as type, cast(s.id as text) collate "C" as id,
                    case when s.state = 'SAVED' and s.expires_at <= clock_timestamp()
                        then 'EXPIRED' else s.state end as state,
                    s.kind, cast(s.parent_id as text) as parent, s.short_name, s.tag,
                    s.source_sandbox_id as source, false as forked, s.created_at,
                    s.stored_bytes as bytes,
                    coalesce(s.removal_reason,
                        case when s.expires_at <= clock_timestamp() then 'EXPIRED' end) as reason,
                    coalesce(s.removed_at, s.expires_at) as removed_at, s.id as as_parent
                from snapshot s
                where s.parent_id = :id and s.project_id = :project
                    and s.kind in %4$s
                    and s.removal_reason is distinct from 'FAILED'
                    and %1$s
                order by s.created_at, s.id limit :most)
                union all
                (select 'SNAPSHOT', cast(t.snapshot_id as text) collate "C", 'REMOVED',
                    t.kind, cast(t.parent_id as text), t.short_name, t.tag,
                    t.source_sandbox_id, false, t.started_at,
                    cast(null as bigint), t.reason, coalesce(t.expired_at, t.removed_at), t.snapshot_id
                from tombstone t
                where t.parent_id = :id and t.project_id = :project
                    and t.kind in %4$s and t.reason <> 'FAILED'
                    and %2$s
                order by t.started_at, t.snapshot_id limit :most)
                union all
                (select 'SANDBOX', b.id collate "C", b.state,
                    null, cast(b.parent_id as text), null, null,
                    null, b.snapshot_id is distinct from b.parent_id, b.created_at,
                    null, null, null, cast(null as uuid)
                from sandbox b
                where b.parent_id = :id and b.project_id = :project and b.state <> 'ENDED'
                    and %3$s
                order by b.created_at, b.id collate "C" limit :most)
            ) c
            order by c.created_at, c.id limit :most
            """
                    .formatted(
                            after("s.created_at", "cast(s.id as text)"),
                            after("t.started_at", "cast(t.snapshot_id as text)"),
                            after("b.created_at", "b.id"),
                            Kind.LISTED);

    private LineageText() {}

    /** Behind a place; the first page begins at the beginning of time. */
    private static String after(String moment, String id) {
        return "%1$s >= :at and (%1$s > :at or %2$s collate \"C\" > :after)".formatted(moment, id);
    }
}
