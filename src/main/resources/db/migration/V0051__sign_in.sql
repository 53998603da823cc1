-- Who is signed in to the console. The secret itself is in the person's browser and nowhere else.
create table sign_in (
    id         uuid        primary key,
    sha256     bytea       not null unique check (octet_length(sha256) = 32),
    api_key_id uuid        not null references api_key (id) on delete cascade,
    begun_at   timestamptz not null,
    seen_at    timestamptz not null,
    -- Not later, however often it is used.
    ends_at    timestamptz not null check (ends_at > begun_at)
);

create index sign_in_of_key on sign_in (api_key_id, begun_at);
create index sign_in_end on sign_in (ends_at);
