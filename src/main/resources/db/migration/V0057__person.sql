-- What people call the persons who have signed in, for the rows that they have made in a project.
create table person (
    project_id uuid        not null references project (id),
    subject    text        not null check (char_length(subject) between 1 and 255),
    name       text        not null check (char_length(name) between 1 and 128),
    seen_at    timestamptz not null,
    primary key (project_id, subject)
);

create index person_seen on person (project_id, seen_at desc);
