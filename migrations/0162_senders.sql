-- Closed teams that somebody was not in who sent the metadata of an integration: names in it refer to no resource of theirs. Null if there are none.
alter table integrations add column hidden_teams uuid[];
