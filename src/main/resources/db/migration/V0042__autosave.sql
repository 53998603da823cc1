-- What a policy captures, or what was there before a restore in place, is kept and listed like what somebody asked for:
-- AUTO. What a fork captures in passing is in no list: FORK.
alter table snapshot
    drop constraint snapshot_kind_check,
    add constraint snapshot_kind_check check (kind in ('SNAPSHOT', 'PAUSE', 'AUTO', 'FORK'));
alter table tombstone
    drop constraint tombstone_kind_check,
    add constraint tombstone_kind_check check (kind in ('SNAPSHOT', 'PAUSE', 'AUTO', 'FORK'));
update snapshot set kind = 'FORK' where kind = 'AUTO';
update tombstone set kind = 'FORK' where kind = 'AUTO';

drop index snapshot_expiring, snapshot_search, snapshot_by_creation, snapshot_by_size, snapshot_by_expiry, snapshot_by_name,
    snapshot_of_template, snapshot_of_creator, snapshot_needs, snapshot_labels, snapshot_aside;
create index snapshot_expiring on snapshot (expires_at) where state = 'SAVED' and kind in ('SNAPSHOT', 'AUTO');
create index snapshot_search on snapshot using gin (search gin_trgm_ops) where kind in ('SNAPSHOT', 'AUTO');
create index snapshot_by_creation on snapshot (project_id, state, created_at, id) where kind in ('SNAPSHOT', 'AUTO');
create index snapshot_by_size on snapshot (project_id, state, list_size, id) where kind in ('SNAPSHOT', 'AUTO');
create index snapshot_by_expiry on snapshot (project_id, state, list_expiry, id)
    include (created_at, list_size, list_name) where kind in ('SNAPSHOT', 'AUTO');
create index snapshot_by_name on snapshot (project_id, state, list_name, id) where kind in ('SNAPSHOT', 'AUTO');
create index snapshot_of_template on snapshot (project_id, template_id) where kind in ('SNAPSHOT', 'AUTO');
create index snapshot_of_creator on snapshot (project_id, created_by) where kind in ('SNAPSHOT', 'AUTO');
create index snapshot_needs on snapshot (project_id, needs) where kind in ('SNAPSHOT', 'AUTO') and state = 'SAVED';
create index snapshot_labels on snapshot using gin (labels jsonb_path_ops) where kind in ('SNAPSHOT', 'AUTO');
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
