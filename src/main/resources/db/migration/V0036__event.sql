-- What happened, kept. A transaction writes what it did to the pending rows. Whoever reads moves
-- what is committed from there to the log and numbers it, one at a time, under the log's one row.
create table event_log (
    single boolean primary key default true check (single),
    last   bigint  not null default 0,
    -- Whoever has read no further than this may have missed what is not kept any more.
    purged bigint  not null default 0
);

insert into event_log default values;

create table event_pending (
    id         bigint      generated always as identity primary key,
    at         timestamptz not null default clock_timestamp(),
    -- None for what is the service's own.
    project_id uuid,
    type       text        not null,
    kind       text        not null,
    subject    text        not null,
    details    jsonb       not null default '{}'
);

create table event (
    position   bigint      primary key,
    at         timestamptz not null,
    project_id uuid,
    type       text        not null,
    kind       text        not null,
    subject    text        not null,
    details    jsonb       not null
);

create index event_of_project on event (project_id, position);
create index event_of_kind on event (project_id, kind, position);
create index event_of_subject on event (subject, position);
