-- A sync that misses most of what it knew marks nothing as gone: what it missed, for a person to confirm.
alter table integration_syncs add column needs_confirmation jsonb;
