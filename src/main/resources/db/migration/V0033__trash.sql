-- For how long what is deleted or has expired can be brought back; null: not at all.
alter table project add column trash_seconds bigint check (trash_seconds > 0);

-- What is in the trash goes to its clean-up at cleanup_after.
create index snapshot_trash on snapshot (cleanup_after, id) where state = 'TRASHED';
