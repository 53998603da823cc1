-- Why and by whom a sandbox ends as soon as its last state is saved, or could not be.
alter table sandbox
    add column parting    text,
    add column parting_by text,
    add constraint sandbox_parting check ((parting is null) = (parting_by is null));

-- When a sandbox is captured by itself. The row outlives the sandbox: it says how many of its captures are kept.
create table autosave (
    sandbox_id        text        primary key references sandbox (id),
    project_id        uuid        not null references project (id),
    every_seconds     bigint      check (every_seconds between 1 and 86400),
    at_timeout        boolean     not null,
    on_kill           boolean     not null,
    memory_percent    integer     check (memory_percent between 10 and 99),
    keep_last         integer     not null check (keep_last between 1 and 100),
    retention_seconds bigint      check (retention_seconds > 0),
    set_at            timestamptz not null,
    set_by            text        not null,
    next_at           timestamptz check (next_at is null or every_seconds is not null),
    -- When it was last due and nothing had changed.
    unchanged_at      timestamptz,
    upload_id         uuid,
    cause             text,
    captured_at       timestamptz,
    alarmed_at        timestamptz,
    refused_at        timestamptz,
    refused_cause     text,
    refused_reason    text,
    refused_detail    text,
    -- A capture was begun, and nobody has looked since whether there are too many.
    crowded           boolean     not null default false,
    version           bigint      not null default 0,
    check ((upload_id is null) = (captured_at is null) and (upload_id is null) = (cause is null)),
    check ((refused_at is null) = (refused_reason is null))
);

create index autosave_crowded on autosave (sandbox_id) where crowded;
create unique index autosave_upload on autosave (upload_id) where upload_id is not null;

-- Which snapshots a policy made, whatever people write on them.
create table autosave_capture (
    snapshot_id uuid primary key references snapshot (id) on delete cascade,
    sandbox_id  text not null references sandbox (id),
    cause       text not null
);

create index autosave_capture_of_sandbox on autosave_capture (sandbox_id);
