-- Since when a project stores what it stores now, and of which limits it was warned that they are nearly reached.
alter table project_usage
    add column measured_at      timestamptz not null default clock_timestamp(),
    add column bytes_warned     boolean     not null default false,
    add column snapshots_warned boolean     not null default false;

-- What a project stored on each day (UTC) that is settled: bytes by the microseconds they were stored, the most at once,
-- and how many snapshots there were at its end. Days on which nothing was stored have no row.
create table usage_day (
    project_id         uuid        not null references project (id),
    day                date        not null,
    saved_byte_micros  numeric(38) not null check (saved_byte_micros >= 0),
    paused_byte_micros numeric(38) not null check (paused_byte_micros >= 0),
    peak_bytes         bigint      not null check (peak_bytes >= 0),
    snapshots          bigint      not null check (snapshots >= 0),
    primary key (project_id, day)
);

-- Few are not saved, or in no list, and they are asked for by project.
create index snapshot_aside on snapshot (project_id, state) where state <> 'SAVED' or kind <> 'SNAPSHOT';

-- What of the catalogue is charged: everything that is stored until its objects are gone. In two halves, because each
-- has an index.
create view snapshot_charge as
select project_id, id as snapshot_id, state, kind, stored_bytes as bytes, expires_at,
    cleanup_attempts, cleanup_error, cleanup_after
from snapshot
where state = 'SAVED' and kind = 'SNAPSHOT'
union all
select project_id, id, state, kind, stored_bytes, expires_at, cleanup_attempts, cleanup_error, cleanup_after
from snapshot
where (state <> 'SAVED' or kind <> 'SNAPSHOT')
    and (state in ('SAVED', 'TRASHED') or state = 'CLEANUP_PENDING' and removal_reason <> 'FAILED');

-- Room that is held for a capture which is over, or which can only fail any more.
create view reservation_stale as
select r.owner, r.project_id, r.bytes
from reservation r left join snapshot s on s.upload_id = r.owner
where s.id is null or s.state <> 'UPLOADING'
    or r.expires_at <= clock_timestamp() and s.deadline_at <= clock_timestamp();

-- Projects whose counters are not what their rows say, or that hold room for captures that are over.
create view usage_drift as
select p.id as project_id,
    coalesce(u.stored_bytes, 0) as counted_bytes, coalesce(c.bytes, 0)::bigint as stored_bytes,
    coalesce(u.stored_count, 0) as counted_snapshots, coalesce(c.snapshots, 0) as stored_snapshots,
    coalesce(u.paused_bytes, 0) as counted_paused, coalesce(c.paused, 0)::bigint as stored_paused,
    coalesce(r.reservations, 0) as stale_reservations, coalesce(r.bytes, 0)::bigint as stale_bytes
from project p
left join project_usage u on u.project_id = p.id
left join (
    select project_id,
        sum(bytes) filter (where kind <> 'PAUSE') as bytes,
        count(*) filter (where kind <> 'PAUSE') as snapshots,
        sum(bytes) filter (where kind = 'PAUSE') as paused
    from snapshot_charge group by project_id
) c on c.project_id = p.id
left join (
    select project_id, count(*) as reservations, sum(bytes) as bytes
    from reservation_stale group by project_id
) r on r.project_id = p.id
where (coalesce(u.stored_bytes, 0), coalesce(u.stored_count, 0), coalesce(u.paused_bytes, 0), coalesce(r.reservations, 0))
    is distinct from (coalesce(c.bytes, 0), coalesce(c.snapshots, 0), coalesce(c.paused, 0), 0);
