-- Where other nodes reach a worker's HTTPS listener, and the SHA-256 of the certificates it may show; null for one that
-- no other node speaks to.
alter table worker add column address text;
alter table worker add column certificates text;
alter table worker add constraint worker_address_proved check ((address is null) = (certificates is null));
