-- Templates that projects make: built on one worker, from an archive, until a deadline. Built-in ones are ready at once.
alter table template
    add column state            text        not null default 'READY' check (state in ('BUILDING', 'READY', 'FAILED')),
    add column failure          text,
    add column environment      jsonb       not null default '{}',
    add column image_bytes      bigint,
    add column image_removed_at timestamptz,
    add column worker_id        text,
    add column deadline_at      timestamptz,
    add column ready_at         timestamptz,
    add column created_by       text        not null default 'system',
    add constraint template_failed check ((state = 'FAILED') = (failure is not null)),
    add constraint template_building check (state <> 'BUILDING' or (worker_id is not null and deadline_at is not null));

-- What failed holds no name.
drop index template_name;
create unique index template_name on template (coalesce(project_id, '00000000-0000-0000-0000-000000000000'), name)
    where deleted_at is null and state <> 'FAILED';

create index template_building on template (deadline_at) where state = 'BUILDING';
create index template_image on template (digest) where digest is not null;

-- Whether an image is still needed is asked of these.
create index snapshot_template on snapshot (template_digest);
create index sandbox_template on sandbox (template_digest) where state <> 'ENDED';
