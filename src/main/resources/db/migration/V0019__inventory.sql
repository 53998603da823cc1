-- The list of a project's snapshots: search by part of an ID or a name, every status, four orders.
create extension if not exists pg_trgm;

-- Trigrams leave out all but letters and digits, so that "-7" or "a:v" would find nothing by them. Here every other
-- character is a pair of letters, and then any three characters have a trigram. Two texts may share an encoding in part,
-- so whoever searches compares the text itself as well.
create function search_encoded(text) returns text language sql immutable strict parallel safe
return replace(replace(replace(replace(replace(replace($1, 'z', 'zz'), '-', 'zq'), '_', 'zw'), '.', 'zx'), ':', 'zk'), ' ', 'zj');

-- Columns and no expressions in the indexes: of those the planner would not know how rare they are.
alter table snapshot
    add column search text generated always as (search_encoded(
        id::text || ' ' || upload_id::text || coalesce(' ' || short_name || ':' || tag, ''))) stored,
    -- The keys of the orders. What has none comes last upwards.
    add column list_size bigint generated always as (coalesce(stored_bytes, 0)) stored,
    add column list_expiry timestamptz generated always as (coalesce(expires_at, timestamptz 'infinity')) stored,
    add column list_name text collate "C" generated always as (coalesce(short_name || ':' || tag, '~')) stored,
    -- States that need the same of a worker have the same: who can restore them is asked once for all of them.
    add column needs text generated always as (
        md5(coalesce(architecture, '') || '|' || coalesce(platform, '') || '|' || coalesce(cpu_features, '')
            || '|' || coalesce(agent_protocol::text, '') || '|' || coalesce(state_format::text, ''))) stored,
    -- A hundred samples cannot tell how rare a text is, and that decides the plan.
    alter column search set statistics 1000;

create index snapshot_search on snapshot using gin (search gin_trgm_ops) where kind = 'SNAPSHOT';

-- Each order within each state; backwards they are the other direction.
create index snapshot_by_creation on snapshot (project_id, state, created_at, id) where kind = 'SNAPSHOT';
create index snapshot_by_size on snapshot (project_id, state, list_size, id) where kind = 'SNAPSHOT';
-- What ends soon is also wanted in the other orders, of which its own index knows nothing.
create index snapshot_by_expiry on snapshot (project_id, state, list_expiry, id)
    include (created_at, list_size, list_name) where kind = 'SNAPSHOT';
create index snapshot_by_name on snapshot (project_id, state, list_name, id) where kind = 'SNAPSHOT';
drop index snapshot_of_project;

create index snapshot_of_template on snapshot (project_id, template_id) where kind = 'SNAPSHOT';
create index snapshot_of_creator on snapshot (project_id, created_by) where kind = 'SNAPSHOT';
create index snapshot_needs on snapshot (project_id, needs) where kind = 'SNAPSHOT' and state = 'SAVED';
create index snapshot_damaged on snapshot (project_id) where parts_state in ('MISSING', 'CORRUPT');
create index snapshot_doubted on snapshot (project_id) where restore_failure is not null;
