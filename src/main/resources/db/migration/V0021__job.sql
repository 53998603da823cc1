-- Which node runs or ran an execution of the job repository, and in which of its incarnations: what an earlier one left in
-- the middle is gone on with by the next one of the same node.
create table job_run (
    execution_id bigint      primary key,
    worker_id    text        not null,
    incarnation  uuid        not null,
    begun_at     timestamptz not null default clock_timestamp()
);

-- The jobs go through what is due in this order, from key to key.
create index snapshot_over on snapshot (coalesce(expires_at, saved_at), id) where state = 'SAVED';
drop index snapshot_cleanup;
create index snapshot_cleanup on snapshot (cleanup_after, id) where state = 'CLEANUP_PENDING';
