-- For how long what is deleted or has expired can be brought back; null: not at all.
alter table project add column trash_seconds bigint check (trash_seconds > 0);

-- What is in the trash goes to its clean-up at cleanup_after.
create index snapshot_trash on snapshot (cleanup_after, id) where state = 'TRASHED';

-- What lay in the trash was removed long before; its tombstone stands as long as any other.
alter table tombstone add column buried_at timestamptz not null default clock_timestamp();
update tombstone set buried_at = removed_at;
drop index tombstone_removed;
create index tombstone_buried on tombstone (buried_at);
