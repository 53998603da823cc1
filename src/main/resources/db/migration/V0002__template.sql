-- What a fresh sandbox starts from. The image is a stored object named by its digest.
create table template (
    id          text        primary key,
    project_id  uuid        references project (id),
    name        text        not null,
    digest      text,
    generation  integer     not null default 2 check (generation in (1, 2)),
    cpus        integer     not null check (cpus > 0),
    memory_mib  integer     not null check (memory_mib > 0),
    disk_mib    integer     not null check (disk_mib > 0),
    created_at  timestamptz not null default now(),
    deleted_at  timestamptz,
    version     bigint      not null default 0
);

create unique index template_name on template (coalesce(project_id, '00000000-0000-0000-0000-000000000000'), name)
    where deleted_at is null;
