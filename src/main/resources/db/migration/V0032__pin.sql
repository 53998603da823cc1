-- What keeps a snapshot from its end. expires_at is always the moment at which it ends: with a pin or a hold that is the
-- end of these, where it is later, and own_expires_at then remembers when it would have ended without.
alter table snapshot
    add column own_expires_at timestamptz,
    add column pin_reason     text check (char_length(pin_reason) between 1 and 500),
    add column pinned_by      text,
    add column pinned_at      timestamptz,
    add column pinned_until   timestamptz,
    add column hold_reason    text check (char_length(hold_reason) between 1 and 500),
    add column held_by        text,
    add column held_at        timestamptz,
    add column held_until     timestamptz,
    add constraint snapshot_pin check ((pinned_at is null) = (pin_reason is null)
        and (pinned_at is null) = (pinned_by is null) and (pinned_at is not null or pinned_until is null)),
    add constraint snapshot_hold check ((held_at is null) = (hold_reason is null)
        and (held_at is null) = (held_by is null) and (held_at is null) = (held_until is null)),
    add constraint snapshot_own_expiry check (own_expires_at is null or expires_at >= own_expires_at);
