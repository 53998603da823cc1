-- What a fork captures in passing has a kind of its own: what is made by itself and kept is a snapshot like any other.
alter table snapshot
    drop constraint snapshot_kind_check,
    add constraint snapshot_kind_check check (kind in ('SNAPSHOT', 'PAUSE', 'AUTO', 'FORK'));
alter table tombstone
    drop constraint tombstone_kind_check,
    add constraint tombstone_kind_check check (kind in ('SNAPSHOT', 'PAUSE', 'AUTO', 'FORK'));
update snapshot set kind = 'FORK' where kind = 'AUTO';
update tombstone set kind = 'FORK' where kind = 'AUTO';

-- Everything that lists snapshots lists those too.
drop index snapshot_expiring;
create index snapshot_expiring on snapshot (expires_at) where state = 'SAVED' and kind in ('SNAPSHOT', 'AUTO');
drop index snapshot_search;
create index snapshot_search on snapshot using gin (search gin_trgm_ops) where kind in ('SNAPSHOT', 'AUTO');
drop index snapshot_by_creation;
create index snapshot_by_creation on snapshot (project_id, state, created_at, id) where kind in ('SNAPSHOT', 'AUTO');
drop index snapshot_by_size;
create index snapshot_by_size on snapshot (project_id, state, list_size, id) where kind in ('SNAPSHOT', 'AUTO');
drop index snapshot_by_expiry;
create index snapshot_by_expiry on snapshot (project_id, state, list_expiry, id)
    include (created_at, list_size, list_name) where kind in ('SNAPSHOT', 'AUTO');
drop index snapshot_by_name;
create index snapshot_by_name on snapshot (project_id, state, list_name, id) where kind in ('SNAPSHOT', 'AUTO');
drop index snapshot_of_template;
create index snapshot_of_template on snapshot (project_id, template_id) where kind in ('SNAPSHOT', 'AUTO');
drop index snapshot_of_creator;
create index snapshot_of_creator on snapshot (project_id, created_by) where kind in ('SNAPSHOT', 'AUTO');
drop index snapshot_needs;
create index snapshot_needs on snapshot (project_id, needs) where kind in ('SNAPSHOT', 'AUTO') and state = 'SAVED';
drop index snapshot_labels;
create index snapshot_labels on snapshot using gin (labels jsonb_path_ops) where kind in ('SNAPSHOT', 'AUTO');

drop index snapshot_aside;
create index snapshot_aside on snapshot (project_id, state) where state <> 'SAVED' or kind not in ('SNAPSHOT', 'AUTO');
create or replace view snapshot_charge as
select project_id, id as snapshot_id, state, kind, stored_bytes as bytes, expires_at,
    cleanup_attempts, cleanup_error, cleanup_after
from snapshot
where state = 'SAVED' and kind in ('SNAPSHOT', 'AUTO')
union all
select project_id, id, state, kind, stored_bytes, expires_at, cleanup_attempts, cleanup_error, cleanup_after
from snapshot
where (state <> 'SAVED' or kind not in ('SNAPSHOT', 'AUTO'))
    and (state in ('SAVED', 'TRASHED') or state = 'CLEANUP_PENDING' and removal_reason <> 'FAILED');

-- The snapshot that the state of a sandbox descends from: the one it was made from, and of a fork that of its source,
-- which it does not occupy.
alter table sandbox add column parent_id uuid;
update sandbox set parent_id = snapshot_id where snapshot_id is not null;
create index sandbox_child on sandbox (parent_id, created_at, id) where parent_id is not null and state <> 'ENDED';

create index snapshot_child on snapshot (parent_id, created_at, id) where parent_id is not null;

-- So that a tree does not end at what was removed.
alter table tombstone add column parent_id uuid;
create index tombstone_child on tombstone (parent_id, started_at, snapshot_id) where parent_id is not null;
