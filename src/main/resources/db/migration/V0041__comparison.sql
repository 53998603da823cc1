-- What differs between two snapshots, which never change: so neither does the answer.
create table comparison (
    id          uuid        primary key,
    project_id  uuid        not null,
    base_id     uuid        not null references snapshot (id) on delete cascade,
    other_id    uuid        not null references snapshot (id) on delete cascade,
    worker_id   text        not null,
    state       text        not null
                check (state in ('ACCEPTED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
    -- How many entries of both were looked at so far.
    entries     bigint      not null default 0,
    summary     text,
    failure     text,
    created_at  timestamptz not null,
    created_by  text        not null,
    ended_at    timestamptz,
    expires_at  timestamptz not null,
    check ((state = 'DONE') = (summary is not null)),
    check ((state = 'FAILED') = (failure is not null))
);

create unique index comparison_of_pair on comparison (base_id, other_id)
    where state in ('ACCEPTED', 'RUNNING', 'DONE');
create index comparison_of_base on comparison (base_id);
create index comparison_of_other on comparison (other_id);
create index comparison_of_project on comparison (project_id, created_at, id);
create index comparison_end on comparison (expires_at);
create index comparison_under_way on comparison (worker_id) where state in ('ACCEPTED', 'RUNNING');

create table comparison_change (
    comparison_id uuid not null references comparison (id) on delete cascade,
    position      int  not null,
    kind          text not null check (kind in ('ADDED', 'REMOVED', 'CHANGED')),
    -- Of any bytes, in base64.
    path          text not null,
    -- What of it differs, with spaces between.
    what          text not null,
    -- As they were and are: type, mode, uid, gid, size, modified, target; absent where there is none.
    before        text,
    after         text,
    primary key (comparison_id, position)
);
