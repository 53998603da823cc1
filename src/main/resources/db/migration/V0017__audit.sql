-- Who changed what, when, from where, and what came of it. A row is written once and never changed.
create sequence audit_entry_seq increment by 50;

create table audit_entry (
    id           bigint      primary key,
    at           timestamptz not null default clock_timestamp(),
    project_id   uuid,
    -- Whether it belongs to the audit of the service, be it of a project besides or not.
    service      boolean     not null default false,
    principal    text        not null,
    action       text        not null,
    subject_type text        not null,
    subject_id   text        not null,
    outcome      text        not null check (outcome in ('DONE', 'REFUSED', 'FAILED')),
    reason       text,
    address      text,
    user_agent   text,
    request_id   text,
    details      jsonb       not null default '{}',
    check ((outcome = 'DONE') = (reason is null)),
    check (project_id is not null or service)
);

create index audit_entry_of_project on audit_entry (project_id, at desc, id desc);
create index audit_entry_of_subject on audit_entry (project_id, subject_id, at desc, id desc);
create index audit_entry_of_service on audit_entry (at desc, id desc) where service;
-- For the purge: rows lie in the order of their time.
create index audit_entry_age on audit_entry using brin (at);
