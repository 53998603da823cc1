-- How far a capture has come, why it came to nothing, and the key it may be repeated with.
alter table snapshot
    add column bytes_done         bigint not null default 0 check (bytes_done >= 0),
    add column bytes_expected     bigint check (bytes_expected >= 0),
    add column failure_reason     text,
    add column failure_figures    jsonb  not null default '{}',
    add column idempotency_key    text,
    add column idempotency_digest text;

update snapshot set failure_reason = 'CAPTURE_FAILED' where failure is not null;

-- A key belongs to a capture as its name does: it is free when the snapshot is removed.
create unique index snapshot_idempotency on snapshot (project_id, idempotency_key)
    where idempotency_key is not null;

create index snapshot_operation on snapshot (project_id, created_at desc, id desc);

-- The operation is still told of when its row is gone.
alter table tombstone
    add column upload_id         uuid,
    add column kind              text check (kind in ('SNAPSHOT', 'PAUSE', 'AUTO')),
    add column source_sandbox_id text,
    add column started_at        timestamptz,
    add column failure_reason    text,
    add column failure           text;

create unique index tombstone_upload on tombstone (upload_id) where upload_id is not null;
