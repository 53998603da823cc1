-- The deliveries of a webhook that is removed go in steps after it.
alter table webhook_delivery drop constraint webhook_delivery_webhook_id_fkey;

-- The log of deliveries is kept from their end on.
create index webhook_delivery_over on webhook_delivery (last_at) where state <> 'PENDING';
drop index webhook_delivery_age;
