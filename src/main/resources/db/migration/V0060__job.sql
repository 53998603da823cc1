-- The nodes that run jobs, each in its present incarnation, and until when they are taken to live: what an earlier incarnation
-- left in the middle, or a node whose lease is over, any other node goes on with.
create table job_node (
    id          text        primary key,
    incarnation uuid        not null,
    lease_until timestamptz not null
);
