-- What was published into the store under its digest. A row is touched before each publication, so that the removal of
-- what nobody needs waits for whoever is about to need it.
create table blob (
    kind         text        not null check (kind in ('TEMPLATE', 'RUNTIME')),
    digest       text        not null check (digest ~ '^[0-9a-f]{64}$'),
    published_at timestamptz not null,
    primary key (kind, digest)
);

create index snapshot_runtime on snapshot (runtime_id);

-- When somebody last read the stored parts of a snapshot and compared their digests.
alter table snapshot
    add column parts_checked_at timestamptz;

create index snapshot_check on snapshot (coalesce(parts_checked_at, saved_at)) where state = 'SAVED';

-- What the last run of a job found and a person should look at.
create table finding (
    job      text        not null,
    subject  text        not null,
    reason   text        not null,
    detail   text        not null default '',
    objects  bigint      not null default 0,
    bytes    bigint      not null default 0,
    found_at timestamptz not null,
    primary key (job, subject, reason)
);
