-- Who has a worker's name: the installation by the ID in its home, and which of its announcements counts. Whoever renews
-- under an earlier one, or after others have given the worker up, is told so. What an operator has said of it comes beside.
alter table worker
    add column instance       text,
    add column incarnation    bigint not null default 0,
    add column roles          text   not null default 'control,worker',
    -- Since when everybody knows that nobody hears of it.
    add column unreachable_at timestamptz,
    -- Since when what it ran has been given up.
    add column lost_at        timestamptz,
    add column draining_at    timestamptz,
    add column drained_at     timestamptz;

-- Paused by its worker's drain and by nobody who uses it: its lifetime goes on, and any request wakes it.
alter table sandbox add column drained boolean not null default false;
create index sandbox_drained on sandbox (end_at) where drained and state = 'PAUSED';

-- A worker that is being drained takes nothing, so no restore finds a place on it.
create or replace view snapshot_place as
select s.id as snapshot_id, w.id as worker_id, d.differs, d.lacking
from snapshot s
join worker w on w.missing = '' and w.lease_until > clock_timestamp() and w.draining_at is null
cross join lateral (
    select case when w.architecture = s.architecture and w.cpu_features <> s.cpu_features then (
        select string_agg(feature, ' ' order by feature) from (
            select unnest(string_to_array(s.cpu_features, ' '))
            except select unnest(string_to_array(w.cpu_features, ' '))) x (feature)
    ) end as lacking
    offset 0 -- else the comparison is made again for each use of its outcome
) f
cross join lateral (
    select array_remove(array[
        case when w.architecture is distinct from s.architecture then 'architecture' end,
        case when w.platform is distinct from s.platform then 'platform' end,
        case when f.lacking is not null then 'cpuFeatures' end,
        case when not coalesce(s.agent_protocol = any (w.agent_protocols), false) then 'agentProtocol' end,
        case when not coalesce(s.state_format = any (w.state_formats), false) then 'stateFormat' end
    ], null) as differs, f.lacking
    offset 0
) d
where s.runtime_id is not null;

-- What keeps these mounts from being made; nothing if they can be.
create or replace function mounts_lack(mounts jsonb, project uuid) returns text language sql stable as $$
    select case
        when bool_or(v.id is null) then 'VOLUME_DELETED'
        when count(distinct v.worker_id) > 1 or bool_or(w.id is null) then 'VOLUME_ELSEWHERE'
    end
    from jsonb_array_elements(mounts) m
    left join volume v on v.id = (m ->> 'volume')::uuid and v.project_id = project and v.deleted_at is null
    left join worker w on w.id = v.worker_id and w.missing = '' and w.lease_until > clock_timestamp()
        and w.draining_at is null
$$;
