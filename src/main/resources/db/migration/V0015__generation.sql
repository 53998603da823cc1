-- What a sandbox runs on: its own kernel (2), or the host's behind a border (1), which cannot be saved.
alter table sandbox
    add column generation integer not null default 2 check (generation in (1, 2)),
    add constraint sandbox_saved check (generation = 2
        or (state in ('STARTING', 'RUNNING', 'ENDED') and snapshot_id is null and image_id is null));

-- What a worker lacks for the first generation; null where that is turned off.
alter table worker
    add column missing_light text;
