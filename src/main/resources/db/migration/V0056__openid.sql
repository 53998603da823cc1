-- A person whom an OpenID provider vouches for is signed in without a key, with what their roles gave them at that moment.
alter table sign_in
    alter column api_key_id drop not null,
    -- What the provider calls them for good, and what people call them.
    add column subject  text check (char_length(subject) between 1 and 255),
    add column name     text check (char_length(name) between 1 and 128),
    -- A line for each project: its ID and the permissions in it; 'service' for who administers the service.
    add column grants   text check (char_length(grants) > 0),
    -- Where the provider wants to hear that they have left.
    add column farewell text,
    add constraint sign_in_of_a_key_or_a_person check (num_nonnulls(api_key_id, subject) = 1),
    add constraint sign_in_of_a_person check (num_nulls(subject, name, grants) in (0, 3)),
    add constraint sign_in_farewell check (farewell is null or subject is not null);

create index sign_in_of_person on sign_in (subject, begun_at) where subject is not null;
