-- A sandbox that was opened in the Workbench, and the browser tab that has it open.
create table workbench_session (
    sandbox_id text        primary key references sandbox (id),
    project_id uuid        not null references project (id),
    -- Null: it was made elsewhere.
    profile    text,
    opened_at  timestamptz not null,
    opened_by  text        not null,
    tab        uuid,
    tab_by     text,
    tab_at     timestamptz,
    version    bigint      not null default 0,
    check ((tab is null) = (tab_at is null) and (tab is null) = (tab_by is null))
);

create index workbench_session_of_project on workbench_session (project_id, opened_at desc);
