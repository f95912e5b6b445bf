-- People an entry is addressed to, beside the owners and subscribers of its resource: who was asked, answered, assigned or mentioned.
alter table activities add column recipients uuid[];

-- How many people a notification about an incident went to, and which Slack channel. Null until it has gone out, and for older entries.
alter table incident_actions add column people integer, add column channel text;

-- The file that a monitor was read from. It was part of `key` (`file:<file>:<uuid>`), which is the caller's own.
alter table monitors add column file text collate "C";
update monitors set file = substring(key from '^file:(.*):[^:]*$'), key = null where key ~ '^file:.*:[^:]*$';
create index monitors_file on monitors (file) where file is not null;

-- An incident can be reopened, and resolved again: each is notified once, by its own entry.
drop index notification_alerts_about;
create index notification_alerts_about on notification_alerts (about, phase);
