-- The tenant. Its row is also the lock under which its limits are judged.
create table project (
    id                       uuid        primary key,
    name                     text        not null check (char_length(name) between 1 and 128),
    slug                     text        unique check (slug ~ '^[a-z0-9_-]{1,128}$'),
    plan_bytes               bigint      not null check (plan_bytes >= 0),
    plan_snapshots           integer     not null check (plan_snapshots >= 0),
    plan_live_sandboxes      integer     not null check (plan_live_sandboxes >= 0),
    plan_lifetime_seconds    bigint      not null check (plan_lifetime_seconds >= 1),
    service_bytes            bigint      check (service_bytes >= 0),
    service_snapshots        integer     check (service_snapshots >= 0),
    service_live_sandboxes   integer     check (service_live_sandboxes >= 0),
    service_lifetime_seconds bigint      check (service_lifetime_seconds >= 1),
    created_at               timestamptz not null,
    version                  bigint      not null default 0,
    -- A service limit is set as a whole or not at all.
    check (num_nulls(service_bytes, service_snapshots, service_live_sandboxes, service_lifetime_seconds) in (0, 4))
);

-- The secret itself is nowhere; beginning and ending are for people.
create table api_key (
    id           uuid        primary key,
    project_id   uuid        references project (id),
    name         text        not null check (char_length(name) between 1 and 128),
    sha256       bytea       not null unique check (octet_length(sha256) = 32),
    beginning    text        not null,
    ending       text        not null,
    permissions  text        not null check (permissions ~ '^[a-z]+:[a-z]+( [a-z]+:[a-z]+)*$'),
    bootstrap    boolean     not null default false,
    created_at   timestamptz not null,
    created_by   text        not null,
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    revoked_by   text,
    version      bigint      not null default 0,
    check ((revoked_at is null) = (revoked_by is null))
);

create index api_key_of_project on api_key (project_id, created_at desc);

create unique index api_key_bootstrap on api_key (bootstrap) where bootstrap and revoked_at is null;
