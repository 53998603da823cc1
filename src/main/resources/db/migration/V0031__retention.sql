-- The versions of each project's retention policy. A row is written once and never changed.
create table retention_policy (
    id         uuid        primary key,
    project_id uuid        not null references project (id),
    number     integer     not null check (number > 0),
    policy     jsonb       not null,
    -- It rules what was saved then or later, until there is a later version; the epoch: also what was there.
    since      timestamptz not null,
    created_at timestamptz not null,
    created_by text        not null,
    unique (project_id, number)
);
