-- A closed project keeps its snapshots and takes nothing new; opened again, it is as it was.
alter table project
    add column closed_at timestamptz,
    add column closed_by text,
    add constraint project_closed check ((closed_at is null) = (closed_by is null));

create index project_in_order on project (created_at, id);

-- The settings may name one key of a project and one of the service.
drop index api_key_bootstrap;
create unique index api_key_bootstrap on api_key ((project_id is null)) where bootstrap and revoked_at is null;
