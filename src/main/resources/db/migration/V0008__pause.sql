-- A pause is a capture whose sandbox does not go on; the sandbox names the state it goes on from.
alter table sandbox
    add column image_id    uuid,
    add column reboot      boolean     not null default false,
    add column on_timeout  text        not null default 'KILL'
        check (on_timeout in ('KILL', 'PAUSE', 'PAUSE_DISK')),
    add column auto_resume boolean     not null default false,
    add column state_since timestamptz not null default now(),
    drop constraint sandbox_check,
    add constraint sandbox_capture check ((state in ('SNAPSHOTTING', 'PAUSING')) = (upload_id is not null)),
    add constraint sandbox_paused check (state not in ('PAUSED', 'RESUMING') or image_id is not null);

-- A create that is repeated with its key is answered with the sandbox it made.
alter table sandbox
    add column idempotency_key    text,
    add column idempotency_digest text;

create unique index sandbox_idempotency on sandbox (project_id, idempotency_key) where idempotency_key is not null;

create index sandbox_image on sandbox (image_id) where image_id is not null;

-- A pause lives as long as its sandbox needs it and has no expiry.
alter table snapshot
    add column memory      boolean not null default true,
    add column on_timeout  text    not null default 'KILL'
        check (on_timeout in ('KILL', 'PAUSE', 'PAUSE_DISK')),
    add column auto_resume boolean not null default false,
    drop constraint snapshot_check2,
    add constraint snapshot_saved check (state <> 'SAVED' or (saved_at is not null
        and stored_bytes is not null and parts_state <> 'PENDING')),
    add constraint snapshot_expires check (state <> 'SAVED' or (kind = 'PAUSE') = (expires_at is null));

create index snapshot_pause on snapshot (source_sandbox_id) where kind = 'PAUSE';

-- States of paused sandboxes count as bytes and not as snapshots.
alter table project_usage
    add column paused_bytes bigint not null default 0 check (paused_bytes >= 0);
