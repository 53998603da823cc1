create table snapshot (
    id                 uuid        primary key,
    upload_id          uuid        not null unique,
    project_id         uuid        not null references project (id),
    kind               text        not null check (kind in ('SNAPSHOT', 'PAUSE', 'AUTO')),
    state              text        not null
        check (state in ('UPLOADING', 'SAVED', 'TRASHED', 'CLEANUP_PENDING')),
    phase              text        not null check (phase in ('ACCEPTED', 'FREEZING', 'SEALING', 'DONE')),
    short_name         text,
    tag                text,
    name_held          boolean     not null default false,
    source_sandbox_id  text        not null,
    parent_id          uuid,
    template_id        text        not null references template (id),
    template_digest    text        not null,
    worker_id          text        not null,
    runtime_id         text,
    platform           text,
    architecture       text,
    cpu_features       text,
    agent_protocol     integer,
    cpus               integer     not null,
    memory_mib         integer     not null,
    disk_mib           integer     not null,
    secured            boolean     not null,
    public_traffic     boolean     not null,
    internet           boolean     not null,
    metadata           jsonb       not null,
    environment        jsonb       not null,
    parts_state        text        not null default 'PENDING'
        check (parts_state in ('PENDING', 'COMPLETE', 'MISSING', 'CORRUPT')),
    logical_bytes      bigint,
    stored_bytes       bigint,
    freeze_millis      bigint,
    created_at         timestamptz not null,
    created_by         text        not null,
    deadline_at        timestamptz not null,
    saved_at           timestamptz,
    expires_at         timestamptz,
    removal_reason     text        check (removal_reason in ('DELETED', 'EXPIRED', 'FAILED')),
    removed_at         timestamptz,
    failure            text,
    cleanup_attempts   integer     not null default 0,
    cleanup_after      timestamptz,
    cleanup_error      text,
    version            bigint      not null default 0,
    check ((short_name is null) = (tag is null)),
    check (not name_held or short_name is not null),
    check (state <> 'SAVED' or (saved_at is not null and expires_at is not null
        and stored_bytes is not null and parts_state <> 'PENDING'))
);

create unique index snapshot_name on snapshot (project_id, short_name, tag) where name_held;
create index snapshot_of_project on snapshot (project_id, created_at desc, id desc) where state = 'SAVED';
create index snapshot_stalled on snapshot (deadline_at) where state = 'UPLOADING';
create index snapshot_cleanup on snapshot (cleanup_after) where state = 'CLEANUP_PENDING';
create index snapshot_of_source on snapshot (source_sandbox_id);

-- What stays of a removed snapshot for 30 days.
create table tombstone (
    snapshot_id uuid        primary key,
    project_id  uuid        not null references project (id),
    short_name  text,
    tag         text,
    reason      text        not null check (reason in ('DELETED', 'EXPIRED', 'FAILED')),
    removed_at  timestamptz not null
);
