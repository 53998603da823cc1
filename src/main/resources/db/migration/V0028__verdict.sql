-- A page of snapshots asks for a hundred verdicts, and states that need the same of a worker share the answer. So what the
-- workers offer is looked up once for each kind of need, and occupants once for all.
drop view snapshot_verdict;

-- What is lacking is told beside what differs, because both come of one comparison. It is one of sets by hash, since a
-- host has a hundred features and more. On another architecture every feature has another name, and none is told.
create or replace view snapshot_place as
select s.id as snapshot_id, w.id as worker_id, d.differs, d.lacking
from snapshot s
join worker w on w.missing = '' and w.lease_until > clock_timestamp()
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

-- Whether each of these can be restored, where, and if not why; who lives from it. What a worker offers instead is only
-- told when none will do.
create function snapshot_verdicts(asked uuid[])
returns table (snapshot_id uuid, answer text, workers text[], differences text, occupants text[])
language plpgsql stable as $$ -- which keeps the plan, and that costs more than to follow it
#variable_conflict use_column
begin
    return query
    with s as materialized (
        select s.id, s.state, s.expires_at, s.parts_state, case when s.runtime_id is not null then s.needs end as needs
        from snapshot s where s.id = any (asked)
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
            when o.able is not null then 'YES'
            when o.needs is not null then 'INCOMPATIBLE_RUNTIME'
            else 'NO_WORKER'
        end,
        coalesce(o.able, '{}'), l.differences, coalesce(c.sandboxes, '{}')
    from s
    left join offer o on o.needs = s.needs
    left join lack l on l.needs = s.needs
    left join occupant c on c.id = s.id;
end
$$;
