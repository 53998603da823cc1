-- The secret that sandbox tokens are made from; a new version would invalidate every token.
create table secret (
    name    text    not null,
    version integer not null,
    value   bytea   not null,
    primary key (name, version)
);

create table sandbox (
    id               text        primary key,
    project_id       uuid        not null references project (id),
    template_id      text        not null references template (id),
    template_digest  text        not null,
    snapshot_id      uuid,
    worker_id        text        not null,
    machine_id       text,
    runtime_id       text,
    state            text        not null
        check (state in ('STARTING', 'RUNNING', 'SNAPSHOTTING', 'PAUSING', 'PAUSED', 'RESUMING', 'ENDED')),
    upload_id        uuid,
    secured          boolean     not null,
    public_traffic   boolean     not null default true,
    internet         boolean     not null default true,
    metadata         jsonb       not null default '{}',
    environment      jsonb       not null default '{}',
    cpus             integer     not null,
    memory_mib       integer     not null,
    disk_mib         integer     not null,
    lifetime_seconds integer     not null check (lifetime_seconds > 0),
    created_at       timestamptz not null,
    created_by       text        not null,
    started_at       timestamptz,
    end_at           timestamptz not null,
    ended_at         timestamptz,
    end_reason       text,
    end_detail       text,
    ended_by         text,
    version          bigint      not null default 0,
    check ((state = 'SNAPSHOTTING') = (upload_id is not null)),
    check ((state = 'ENDED') = (ended_at is not null and end_reason is not null))
);

create index sandbox_of_project on sandbox (project_id, started_at desc, id) where state <> 'ENDED';
create index sandbox_of_worker on sandbox (worker_id) where state <> 'ENDED';
create index sandbox_occupies on sandbox (snapshot_id) where state <> 'ENDED' and snapshot_id is not null;
create unique index sandbox_machine on sandbox (machine_id) where machine_id is not null;
