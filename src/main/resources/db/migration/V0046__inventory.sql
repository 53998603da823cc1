-- Few of very many are pinned or held.
create index snapshot_guarded on snapshot (project_id, id) where pinned_at is not null or held_until is not null;
