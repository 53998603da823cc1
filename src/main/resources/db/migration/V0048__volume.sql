-- Directories of a project that are mounted into sandboxes and are part of no snapshot. A volume is one file system in one
-- file, which a single worker can have mounted: its own.
create table volume (
    id          uuid        primary key,
    project_id  uuid        not null references project (id),
    name        text        not null,
    note        text,
    worker_id   text        not null,
    limit_bytes bigint      not null check (limit_bytes > 0),
    -- Whether its file was ever there: one that is missing afterwards is a loss and not made anew.
    made        boolean     not null default false,
    created_at  timestamptz not null,
    created_by  text        not null,
    -- From then on nobody finds it; the row goes when the file has gone.
    deleted_at  timestamptz,
    version     bigint      not null default 0
);

create unique index volume_name on volume (project_id, name) where deleted_at is null;
create index volume_of_project on volume (project_id, created_at, id);
create index volume_leaving on volume (worker_id) where deleted_at is not null;

-- What is mounted where: [{"volume": its ID, "name": its name, "path": where}].
alter table sandbox add column mounts jsonb not null default '[]';
alter table snapshot add column mounts jsonb not null default '[]';

create index sandbox_mounts on sandbox using gin (mounts jsonb_path_ops) where state <> 'ENDED' and mounts <> '[]';
create index snapshot_mounts on snapshot using gin (mounts jsonb_path_ops) where mounts <> '[]';

-- Where the volumes of these mounts are; the first of several workers, on which no sandbox can have them all.
create function mounts_home(mounts jsonb) returns text language sql stable as $$
    select min(v.worker_id)
    from jsonb_array_elements(mounts) m
    join volume v on v.id = (m ->> 'volume')::uuid
$$;

-- What keeps these mounts from being made; nothing if they can be.
create function mounts_lack(mounts jsonb, project uuid) returns text language sql stable as $$
    select case
        when bool_or(v.id is null) then 'VOLUME_DELETED'
        when count(distinct v.worker_id) > 1 or bool_or(w.id is null) then 'VOLUME_ELSEWHERE'
    end
    from jsonb_array_elements(mounts) m
    left join volume v on v.id = (m ->> 'volume')::uuid and v.project_id = project and v.deleted_at is null
    left join worker w on w.id = v.worker_id and w.missing = '' and w.lease_until > clock_timestamp()
$$;

-- Whether each of these can be restored, where, and if not why; who lives from it. What a worker offers instead is only
-- told when none will do.
create or replace function snapshot_verdicts(asked uuid[])
returns table (snapshot_id uuid, answer text, workers text[], differences text, occupants text[])
language plpgsql stable as $$ -- which keeps the plan, and that costs more than to follow it
#variable_conflict use_column
begin
    return query
    with s as materialized (
        select s.id, s.state, s.expires_at, s.parts_state, case when s.runtime_id is not null then s.needs end as needs,
            s.project_id, s.mounts
        from snapshot s where s.id = any (asked)
    ), mounted as materialized (
        select s.id, mounts_lack(s.mounts, s.project_id) as lack, mounts_home(s.mounts) as home
        from s where s.mounts <> '[]'
    ), kind as materialized (
        select distinct on (s.needs) s.needs, s.id from s where s.needs is not null order by s.needs
    ), place as materialized (
        select k.needs, k.id, p.worker_id, p.differs, p.lacking
        from kind k join snapshot_place p on p.snapshot_id = k.id
    ), offer as materialized (
        select p.needs, min(p.id::text)::uuid as id,
            array_agg(p.worker_id order by p.worker_id) filter (where p.differs = '{}') as able
        from place p group by p.needs
    ), lack as materialized (
        select o.needs, jsonb_agg(jsonb_build_object('worker', w.id, 'what', d.what,
            'needed', case d.what
                when 'architecture' then n.architecture
                when 'platform' then n.platform
                when 'cpuFeatures' then p.lacking
                when 'agentProtocol' then n.agent_protocol::text
                else n.state_format::text end,
            'offered', case d.what
                when 'architecture' then w.architecture
                when 'platform' then w.platform
                when 'cpuFeatures' then null
                when 'agentProtocol' then array_to_string(w.agent_protocols, ' ')
                else array_to_string(w.state_formats, ' ') end) order by w.id, d.what)::text as differences
        from offer o
        join snapshot n on n.id = o.id
        join place p on p.needs = o.needs
        join worker w on w.id = p.worker_id
        cross join lateral unnest(p.differs) d (what)
        where o.able is null
        group by o.needs
    ), occupant as materialized (
        select o.id, array_agg(o.sandbox_id order by o.created_at, o.sandbox_id) as sandboxes
        from (
            select b.snapshot_id as id, b.id as sandbox_id, b.created_at from sandbox b
            where b.snapshot_id = any (asked) and b.snapshot_id is not null and b.state <> 'ENDED'
            union
            select b.image_id, b.id, b.created_at from sandbox b
            where b.image_id = any (asked) and b.image_id is not null and b.state <> 'ENDED'
        ) o group by o.id
    )
    select s.id,
        case
            when s.state = 'SAVED' and s.expires_at <= clock_timestamp() then 'EXPIRED'
            when s.state <> 'SAVED' then 'NOT_SAVED'
            when s.parts_state = 'MISSING' then 'MISSING_PART'
            when s.parts_state = 'CORRUPT' then 'CORRUPT_PART'
            when m.lack = 'VOLUME_DELETED' then m.lack
            when o.needs is not null and (m.lack is not null or m.home <> all (o.able)) then 'VOLUME_ELSEWHERE'
            when o.able is not null then 'YES'
            when o.needs is not null then 'INCOMPATIBLE_RUNTIME'
            else 'NO_WORKER'
        end,
        case when m.home = any (o.able) then array[m.home] else coalesce(o.able, '{}') end, l.differences,
        coalesce(c.sandboxes, '{}')
    from s
    left join offer o on o.needs = s.needs
    left join lack l on l.needs = s.needs
    left join mounted m on m.id = s.id
    left join occupant c on c.id = s.id;
end
$$;
