-- Which ring of a job's timer was the last that started it, told by the next one: nodes that start at the same moment may
-- make a timer each, and both ring.
create table job_ring (
    job     text        primary key,
    next_at timestamptz not null
);
