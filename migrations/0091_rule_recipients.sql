-- Users, groups and teams whose members a routing rule notifies, in their inbox and on their own channels.
alter table notification_rules add column recipients uuid[] not null default '{}';
