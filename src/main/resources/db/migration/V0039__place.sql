-- In a restore in place: the worker of the other of the sandbox's two states, until it runs from one of them.
alter table sandbox
    add column other_worker_id text,
    add constraint sandbox_replaced check (other_worker_id is null
        or state in ('PAUSING', 'RESUMING') and image_id is not null);
