-- What is changed of a snapshot after it was saved is numbered, and the number up to which the store has followed is kept:
-- the manifest cannot say it, so an amendment beside it does.
alter table snapshot
    add column change_number bigint not null default 0 check (change_number >= 0),
    add column stored_change bigint not null default 0 check (stored_change >= 0);

-- Nobody has written down which were changed before, so all that could have been are told once.
update snapshot set change_number = 1 where state in ('SAVED', 'TRASHED') and kind = 'SNAPSHOT';

create index snapshot_amend on snapshot (id) where change_number > stored_change and state in ('SAVED', 'TRASHED');
