-- The audit as chains, in which each entry names the hash of the one before it: one for each project
-- and one for the service. A transaction writes its entries; what is committed gets its place
-- afterwards, one at a time under the row of the service's chain.
create table audit_chain (
    -- A project, or the service: 00000000-0000-0000-0000-000000000000.
    id            uuid        primary key,
    last          bigint      not null default 0,
    last_hash     bytea       not null,
    -- The last that retention has removed.
    removed       bigint      not null default 0,
    removed_hash  bytea       not null,
    -- What the last verification saw.
    verified_at   timestamptz,
    verified      bigint      not null default 0,
    verified_hash bytea,
    broken_at     bigint,
    broken_why    text,
    check ((broken_at is null) = (broken_why is null))
);

insert into audit_chain (id, last_hash, removed_hash)
values ('00000000-0000-0000-0000-000000000000', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'));

create table audit_link (
    chain    uuid        not null references audit_chain (id),
    position bigint      not null,
    entry_id bigint      not null,
    at       timestamptz not null,
    previous bytea       not null,
    hash     bytea       not null,
    primary key (chain, position),
    unique (entry_id, chain)
);

-- What has no place yet.
create table audit_pending (
    entry_id bigint      primary key,
    at       timestamptz not null,
    -- Who waits for long is none that is about to have its place.
    since    timestamptz not null default clock_timestamp()
);

create index audit_pending_order on audit_pending (at, entry_id);

-- By the database, so that also a node of an older build leaves none out.
create function audit_entry_waits() returns trigger language plpgsql as $$
begin
    insert into audit_pending (entry_id, at) select id, at from fresh;
    return null;
end
$$;

create trigger audit_entry_waits after insert on audit_entry
    referencing new table as fresh for each statement execute function audit_entry_waits();

-- The oldest come first, a thousand in a transaction, as soon as the server runs.
insert into audit_pending (entry_id, at) select id, at from audit_entry;

alter table project add column audit_retention_seconds bigint check (audit_retention_seconds > 0);
