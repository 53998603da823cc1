-- What one principal did, page after page: one of few acts among many of others.
create index audit_entry_of_principal on audit_entry (project_id, principal, at desc, id desc);
create index audit_entry_of_service_principal on audit_entry (principal, at desc, id desc) where service;
