-- What a volume's file has taken of its worker's disk; the rest of its limit is promised.
alter table volume add column held_bytes bigint not null default 0 check (held_bytes >= 0);

-- How many bytes of its disk a worker's volumes may take yet, beside what it keeps free; null before it told.
alter table worker add column volume_room bigint;
