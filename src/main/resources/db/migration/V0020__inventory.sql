-- What people write on a snapshot, and when it was last of use.
alter table snapshot
    add column note             text check (char_length(note) between 1 and 2000),
    add column labels           jsonb not null default '{}' check (jsonb_typeof(labels) = 'object'),
    add column last_restored_at timestamptz;

create index snapshot_labels on snapshot using gin (labels jsonb_path_ops) where kind = 'SNAPSHOT';
