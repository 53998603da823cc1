-- What became of a name is asked for each name that nobody holds.
create index tombstone_name on tombstone (project_id, short_name, tag, removed_at desc) where short_name is not null;
create index snapshot_gone_name on snapshot (project_id, short_name, tag) where removed_at is not null;

create index tombstone_removed on tombstone (removed_at);
