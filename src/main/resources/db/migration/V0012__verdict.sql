-- What a worker reads besides what its host is: versions of the agent's protocol and layouts of a saved state.
alter table worker
    add column agent_protocols integer[] not null default '{1}',
    add column state_formats   integer[] not null default '{1}';

-- The layout of the saved state; how the last restore that should have worked failed; how long the capture asked to be
-- kept, if it did; and how far ahead of its expiry somebody was last warned.
alter table snapshot
    add column state_format           integer,
    add column restore_failure        text,
    add column restore_failed_at      timestamptz,
    add column retention_seconds      bigint check (retention_seconds > 0),
    add column expiry_warned_seconds  bigint,
    add constraint snapshot_restore_failed check ((restore_failure is null) = (restore_failed_at is null));
update snapshot set state_format = 1 where runtime_id is not null;

create index snapshot_expiring on snapshot (expires_at) where state = 'SAVED' and kind = 'SNAPSHOT';

-- How long a project keeps snapshots, where it does not leave that to the service.
alter table project
    add column retention_seconds         bigint check (retention_seconds > 0),
    add column longest_retention_seconds bigint check (longest_retention_seconds > 0);

-- What the agent told of a restored sandbox when it became itself.
alter table sandbox add column restored jsonb;

-- In what each worker that is reachable and able differs from what each state needs; the runtime build is none of it, for
-- it is fetched. Equal texts of features are the rule, and only others are worth taking apart.
create view snapshot_place as
select s.id as snapshot_id, w.id as worker_id, d.differs
from snapshot s
join worker w on w.missing = '' and w.lease_until > clock_timestamp()
cross join lateral (
    select array_remove(array[
        case when w.architecture is distinct from s.architecture then 'architecture' end,
        case when w.platform is distinct from s.platform then 'platform' end,
        case when w.cpu_features <> s.cpu_features
            and not string_to_array(w.cpu_features, ' ') @> string_to_array(s.cpu_features, ' ') then 'cpuFeatures' end,
        case when not coalesce(s.agent_protocol = any (w.agent_protocols), false) then 'agentProtocol' end,
        case when not coalesce(s.state_format = any (w.state_formats), false) then 'stateFormat' end
    ], null) as differs
    offset 0 -- else the comparison is made again for each use of its outcome
) d
where s.runtime_id is not null;

-- Whether each snapshot can be restored, where, and if not why; who lives from it. What a worker offers instead is only
-- looked up when none will do.
create view snapshot_verdict as
select s.id as snapshot_id,
    case
        when s.state = 'SAVED' and s.expires_at <= clock_timestamp() then 'EXPIRED'
        when s.state <> 'SAVED' then 'NOT_SAVED'
        when s.parts_state = 'MISSING' then 'MISSING_PART'
        when s.parts_state = 'CORRUPT' then 'CORRUPT_PART'
        when p.able is not null then 'YES'
        when p.asked > 0 then 'INCOMPATIBLE_RUNTIME'
        else 'NO_WORKER'
    end as answer,
    coalesce(p.able, '{}') as workers,
    case when p.able is null and p.asked > 0 then (
        select jsonb_agg(jsonb_build_object('worker', w.id, 'what', what,
            'needed', case what
                when 'architecture' then s.architecture
                when 'platform' then s.platform
                when 'cpuFeatures' then array_to_string(array(
                    select feature from unnest(string_to_array(s.cpu_features, ' ')) feature
                    where feature <> all (string_to_array(w.cpu_features, ' '))), ' ')
                when 'agentProtocol' then s.agent_protocol::text
                else s.state_format::text end,
            'offered', case what
                when 'architecture' then w.architecture
                when 'platform' then w.platform
                when 'cpuFeatures' then null
                when 'agentProtocol' then array_to_string(w.agent_protocols, ' ')
                else array_to_string(w.state_formats, ' ') end) order by w.id, what)::text
        from snapshot_place o join worker w on w.id = o.worker_id, unnest(o.differs) what
        where o.snapshot_id = s.id
            -- On another architecture every feature has another name.
            and (what <> 'cpuFeatures' or w.architecture = s.architecture)
    ) end as differences,
    coalesce((select array_agg(b.id order by b.created_at, b.id) from sandbox b
        where b.state <> 'ENDED' and (b.snapshot_id = s.id or b.image_id = s.id)), '{}') as occupants
from snapshot s
left join lateral (
    select count(*) as asked,
        array_agg(o.worker_id order by o.worker_id) filter (where o.differs = '{}') as able
    from snapshot_place o where o.snapshot_id = s.id
) p on true;
