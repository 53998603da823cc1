-- What a sandbox may reach and who may reach its ports, as one value: the object says only what differs from the default
-- (everything outside, ports for everybody).
alter table sandbox add column network jsonb not null default '{}';
update sandbox set network = case when internet then '{}'::jsonb else '{"internet": false}'::jsonb end
    || case when public_traffic then '{}'::jsonb else '{"publicTraffic": false}'::jsonb end;
alter table sandbox drop column internet, drop column public_traffic;

alter table snapshot add column network jsonb not null default '{}';
update snapshot set network = case when internet then '{}'::jsonb else '{"internet": false}'::jsonb end
    || case when public_traffic then '{}'::jsonb else '{"publicTraffic": false}'::jsonb end;
alter table snapshot drop column internet, drop column public_traffic;

-- Changes of a running sandbox's network. The row of the sandbox has what was asked last; in force is change number in_force.
-- While a change is neither in force nor failed, before_change has what was in force, to be put back if it fails.
create table network_change (
    sandbox_id    text   primary key references sandbox (id) on delete cascade,
    asked         bigint not null,
    in_force      bigint not null default 0,
    failed        bigint not null default 0,
    failure       text,
    before_change jsonb,
    check (in_force <= asked and failed <= asked)
);
