-- Incidents are followed from a place of their own: nobody hears of one later because somebody edits a million descriptions.
create table alert_position (
  one boolean primary key default true check (one),
  seen text not null,
  target text,
  at_xid xid8,
  at_id uuid,
  since timestamptz not null
);
insert into alert_position (seen, target, at_xid, at_id, since) select coalesce(target, seen), null, null, null, since from notification_position;
create index activities_incidents on activities (xid) where activity_type in ('incident_opened', 'incident_resolved');
