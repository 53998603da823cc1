-- The nodes that run sandboxes. A worker renews its lease; one whose lease is over takes no new work.
create table worker (
    id            text        primary key,
    missing       text        not null default '',
    runtime_id    text,
    platform      text,
    architecture  text,
    cpu_features  text        not null default '',
    sandbox_limit integer     not null,
    lease_until   timestamptz not null,
    started_at    timestamptz not null
);
