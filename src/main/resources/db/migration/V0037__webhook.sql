-- Endpoints that are told what happens, and each event that is on its way to one or has been.
create table webhook (
    id             uuid        primary key,
    project_id     uuid        not null references project (id),
    url            text        not null,
    -- With spaces between; all if there are none.
    types          text        not null default '',
    -- The secret itself is made from this number and one of the server's.
    secret_version int         not null default 1,
    -- Until then the one before is good too.
    former_until   timestamptz,
    state          text        not null check (state in ('ACTIVE', 'DISABLED')),
    disabled_why   text,
    -- The last event of the log that has its delivery.
    position       bigint      not null,
    -- Since when no delivery has been taken.
    failing_since  timestamptz,
    created_at     timestamptz not null,
    created_by     text        not null,
    version        bigint      not null default 0,
    check ((state = 'DISABLED') = (disabled_why is not null))
);

create index webhook_of_project on webhook (project_id, created_at, id);
create index webhook_active on webhook (position) where state = 'ACTIVE';

create table webhook_delivery (
    id            bigint      generated always as identity primary key,
    webhook_id    uuid        not null references webhook (id) on delete cascade,
    position      bigint      not null,
    type          text        not null,
    kind          text        not null,
    subject       text        not null,
    happened_at   timestamptz not null,
    state         text        not null default 'PENDING'
                  check (state in ('PENDING', 'DELIVERED', 'FAILED')),
    attempts      int         not null default 0,
    due_at        timestamptz not null default clock_timestamp(),
    -- Somebody is trying until then.
    claimed_until timestamptz,
    first_at      timestamptz,
    last_at       timestamptz,
    status        int,
    detail        text,
    unique (webhook_id, position)
);

create index webhook_delivery_of on webhook_delivery (webhook_id, id);
create index webhook_delivery_due on webhook_delivery (webhook_id, due_at) where state = 'PENDING';
create index webhook_delivery_order on webhook_delivery (webhook_id, kind, subject, position) where state = 'PENDING';
create index webhook_delivery_age on webhook_delivery (happened_at) where state <> 'PENDING';
