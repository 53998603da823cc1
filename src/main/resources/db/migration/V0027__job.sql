-- Which ring of a job's timer was the last that started it, told by the next one: nodes that start at the same moment may
-- make a timer each, and both ring.
create table job_ring (
    job     text        primary key,
    next_at timestamptz not null
);

-- What could not be written beside a manifest comes after what was not tried yet, each time later.
alter table snapshot
    add column amend_attempts integer     not null default 0,
    add column amend_after    timestamptz not null default '-infinity';
drop index snapshot_amend;
create index snapshot_amend on snapshot (amend_after, id) where change_number > stored_change and state in ('SAVED', 'TRASHED');

-- Since when what has expired could not be used: the same is said of it before and after its objects are gone.
alter table tombstone add column expired_at timestamptz;
