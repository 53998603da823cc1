-- How long a sandbox may be without traffic and running commands before it ends or is paused; null: as long as it lives.
alter table sandbox add column idle_seconds bigint check (idle_seconds > 0);
alter table snapshot add column idle_seconds bigint check (idle_seconds > 0);
