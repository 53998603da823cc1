-- What a project has stored. The row is also the lock under which reservations are taken.
create table project_usage (
    project_id   uuid   primary key references project (id),
    stored_bytes bigint not null default 0 check (stored_bytes >= 0),
    stored_count bigint not null default 0 check (stored_count >= 0)
);

-- Room held for a capture until it is settled with its true size or released.
create table reservation (
    owner       uuid        primary key,
    project_id  uuid        not null references project (id),
    bytes       bigint      not null check (bytes >= 0),
    expires_at  timestamptz not null
);

create index reservation_of_project on reservation (project_id);
