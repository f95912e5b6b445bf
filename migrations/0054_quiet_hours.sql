-- When a person gets no messages: {timezone, days, from, to, except_critical}. What is due then is held back until the end.
alter table notification_settings add column quiet_hours jsonb;
alter table deliveries add column held_until timestamptz;
