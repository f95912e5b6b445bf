-- An incident can be snoozed: until then no one is notified of it. It wakes up by itself, which is notified like an opening.
alter table monitor_incidents
  add column snoozed_until timestamptz,
  add column snoozed_by uuid;

select add_background_index('index_snoozed_incidents',
  'monitor_incidents_snoozed on monitor_incidents (snoozed_until) where snoozed_until is not null', 'monitor_incidents');

-- Replaces activities_incidents for processes that also alert of the end of a snooze; those of earlier releases use either.
select add_background_index('index_alert_activities', 'activities_alerts on activities (xid) where activity_type in
  (''incident_opened'', ''incident_reopened'', ''incident_acknowledged'', ''incident_resolved'', ''incident_snooze_ended'', ''schema_changed'')',
  'activities');
