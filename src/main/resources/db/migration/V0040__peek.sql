-- Machines that only show what is in a snapshot. They are no sandboxes: whoever counts or lists those never meets them.
-- No foreign keys: a peek holds up neither the removal of its snapshot nor that of its project.
create table peek (
    id          uuid        primary key,
    project_id  uuid        not null,
    snapshot_id uuid        not null,
    worker_id   text        not null,
    machine     text        unique,
    state       text        not null check (state in ('OPENING', 'OPEN', 'FAILED')),
    -- A word of the API and words for people.
    reason      text,
    failure     text,
    created_at  timestamptz not null,
    check ((state = 'FAILED') = (failure is not null))
);

create unique index peek_of_snapshot on peek (snapshot_id) where state <> 'FAILED';
create index peek_of_worker on peek (worker_id);
