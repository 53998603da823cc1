-- What a busy project might look like after a year. The values of :project and :rows are put in by whoever runs it.
-- Jobs leave the rows alone: nothing is stalled, what awaits its clean-up is not due, what has expired is occupied.

insert into template (id, name, project_id, digest, cpus, memory_mib, disk_mib)
select 'bench-' || n, (array['agent', 'browser', 'notebook', 'go', 'rust', 'data', 'ci', 'docs'])[n], :project,
    md5(n::text), 1, 512, 1024
from generate_series(1, 8) n;

-- Three more hosts: two as the first one, and one of another make.
insert into worker (id, missing, runtime_id, platform, architecture, cpu_features, sandbox_limit, lease_until, started_at)
select 'bench-' || n, '', w.runtime_id, w.platform, case when n = 3 then 'aarch64' else w.architecture end,
    case when n = 3 then 'aes asimd crc32 fp sha1 sha2' else w.cpu_features end, 0, now() + interval '1 year', now()
from (select * from worker order by id limit 1) w, generate_series(1, 3) n;

insert into snapshot (id, upload_id, project_id, kind, state, phase, short_name, tag, name_held, source_sandbox_id,
    parent_id, template_id, template_digest, worker_id, runtime_id, platform, architecture, cpu_features,
    agent_protocol, state_format, cpus, memory_mib, disk_mib, secured, metadata, environment, parts_state,
    logical_bytes, stored_bytes, freeze_millis, created_at, created_by, deadline_at, saved_at, expires_at,
    removal_reason, removed_at, cleanup_after, cleanup_attempts, cleanup_error, restore_failure, restore_failed_at,
    labels, note, last_restored_at)
select gen_random_uuid(), gen_random_uuid(), :project, 'SNAPSHOT', k.state, 'DONE',
    t.short_name, t.tag, t.short_name is not null and k.state in ('SAVED', 'UPLOADING') and not k.expired,
    'i' || substr(md5('source' || d.source), 1, 20),
    case when n % 3 = 0 then gen_random_uuid() end,
    -- Half of all from one template, and each further one half as often.
    case d.template when 0 then 'code-interpreter-v1' when 1 then 'base' else 'bench-' || least(d.template - 1, 8) end,
    md5(d.template::text), w.id, case when k.stored then md5('build' || n % 3) end,
    case when k.stored then w.platform end,
    case when k.stored then case when d.make < 0.02 then 'aarch64' else w.architecture end end,
    case when k.stored then case when d.make < 0.02 then 'aes asimd crc32 fp sha1 sha2'
        -- Some were saved on hosts that are no more: each had a few features that no host has now.
        when d.make < 0.08 then w.cpu_features || ' zz_retired' || floor(d.make * 100)
        when d.make < 0.081 then w.cpu_features || ' zz_odd' || n % 40
        else w.cpu_features end end,
    case when k.stored then 1 end, case when k.stored then 1 end,
    1 + n % 4, 512, 1024, true, '{}', '{}',
    case when not k.stored then 'PENDING' when d.harm < 0.0005 then 'MISSING' when d.harm < 0.0006 then 'CORRUPT'
        else 'COMPLETE' end,
    case when k.stored then s.bytes * 3 end, case when k.stored then s.bytes end,
    case when k.stored then 40 + n % 400 end,
    c.created,
    -- A few make most.
    case when d.creator < 0.5 then 'key:' || md5('key' || floor(d.creator * 10))::uuid
        when d.creator < 0.999 then 'key:' || md5('key' || floor(d.creator * 200))::uuid
        else 'person:auth0|' || floor(d.creator * 100000) end,
    now() + interval '1 day', case when k.stored then c.created + interval '2 seconds' end,
    case when k.stored then c.expires end,
    case when k.state in ('TRASHED', 'CLEANUP_PENDING') then case when n % 2 = 0 then 'DELETED' else 'EXPIRED' end end,
    case when k.state in ('TRASHED', 'CLEANUP_PENDING') then now() - interval '1 hour' end,
    case when k.state = 'CLEANUP_PENDING' then now() + interval '100 days' end,
    case when k.state = 'CLEANUP_PENDING' then n % 5 else 0 end,
    case when k.state = 'CLEANUP_PENDING' and n % 5 > 0 then 'the store answered 503' end,
    case when d.harm > 0.998 then 'the agent did not answer' end, case when d.harm > 0.998 then now() end,
    case when n % 10 < 3 then '{}' when n % 10 < 9
        then jsonb_build_object('team', 'team-' || floor(d.creator * 40), 'env',
            (array['prod', 'staging', 'dev', 'dev'])[1 + n % 4])
        else jsonb_build_object('team', 'team-' || n % 40, 'run', n::text, 'env', 'ci') end,
    case when n % 50 = 0 then 'Kept for the report of run ' || n end,
    case when n % 20 = 0 then now() - random() * interval '1 day' end
from generate_series(1, :rows) n
cross join (select * from worker order by id desc limit 1) w
cross join lateral (select random() as lot, random() as make, random() as harm, random() as creator,
    random() as age, random() as retention, random() as word, floor(-ln(1 - random()) / ln(2))::int as template,
    -- A few sandboxes are saved all the time, most once or twice.
    floor(power(random(), 3) * 300000)::int as source, n as number) d
cross join lateral (select case when d.lot < 0.001 then 'UPLOADING' when d.lot < 0.004 then 'TRASHED'
        when d.lot < 0.024 then 'CLEANUP_PENDING' else 'SAVED' end as state,
    d.lot >= 0.024 and d.lot < 0.026 as expired, d.lot >= 0.001 as stored) k
cross join lateral (select make_interval(days => (array[7, 7, 7, 30, 30, 90, 365])[1 + floor(d.retention * 7)::int]) as time) r
cross join lateral (select m.expires - r.time as created, m.expires from (select case
        when k.expired then now() - d.age * interval '1 day' else now() + interval '1 hour' + d.age * r.time end
        as expires) m) c
cross join lateral (select floor(exp(17.5 + 1.3 * sqrt(-2 * ln(1 - d.age)) * cos(6.2831853 * d.word)))::bigint
    as bytes) s
cross join lateral (select case when n % 10 < 4 then
        (array['build', 'nightly', 'agent', 'checkpoint', 'train', 'crawl', 'before-upgrade', 'demo', 'report', 'fix'])
            [1 + floor(d.word * 10)::int]
        || (array['-', '_', '-run-', '-pr-'])[1 + n % 4] || n end as short_name,
    case when n % 10 < 4 then (array['default', 'default', 'default', 'latest', 'v1', 'v1.2', 'stable'])[1 + n % 7]
        end as tag) t;

-- One paused sandbox for each that has expired, and a live one from one saved one in two thousand.
insert into sandbox (id, project_id, template_id, template_digest, worker_id, state, secured, cpus, memory_mib, disk_mib,
    lifetime_seconds, created_at, created_by, started_at, end_at, image_id, snapshot_id)
select 'i' || substr(replace(s.id::text, '-', ''), 1, 20), s.project_id, s.template_id, s.template_digest, 'bench-1',
    case when s.expires_at <= now() then 'PAUSED' else 'RUNNING' end, true, 1, 512, 1024, 86400, now(), 'system', now(),
    now() + interval '1 year', case when s.expires_at <= now() then s.id end,
    case when s.expires_at > now() then s.id end
from snapshot s where s.project_id = :project and s.state = 'SAVED' and (s.expires_at <= now() or s.id::text like '%777')
