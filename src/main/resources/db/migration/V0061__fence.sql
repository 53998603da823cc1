-- Who runs jobs is an incarnation: each start of a node is one of its own, and two nodes that are called alike are two. The
-- installation, by the ID in its home, tells the next start of a node from another node of its name: it ends the ones before.
alter table job_node drop constraint job_node_pkey;
alter table job_node add primary key (incarnation);
alter table job_node add column instance text;
