-- What a running sandbox used, every few seconds; kept for a day.
create table sandbox_metric (
    sandbox_id   text        not null,
    taken_at     timestamptz not null,
    cpu_count    integer     not null,
    cpu_used_pct real        not null,
    mem_used     bigint      not null,
    mem_total    bigint      not null,
    mem_cache    bigint      not null,
    disk_used    bigint      not null,
    disk_total   bigint      not null,
    primary key (sandbox_id, taken_at)
);

create index sandbox_metric_age on sandbox_metric (taken_at);
