-- How serious incidents of a monitor are. An incident copies it when it is opened.
alter table monitors add column severity text not null default 'medium' constraint monitors_severity_check check (severity in ('low', 'medium', 'high', 'critical'));
alter table monitor_incidents add column severity text not null default 'medium'
  constraint monitor_incidents_severity_check check (severity in ('low', 'medium', 'high', 'critical'));
