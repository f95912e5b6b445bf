-- The numbers of the insights page, once a day: for the workspace, and for the teams, integrations and owners with the most tables.
-- `visibility` is what they count: everything, what no closed team hides (`internal`), and of that what is published.
create table insight_snapshots (
  day date not null,
  visibility text not null check (visibility in ('everything', 'internal', 'published')),
  scope text not null check (scope in ('workspace', 'team', 'integration', 'owner')),
  scope_id uuid not null,
  numbers jsonb not null,
  primary key (scope, scope_id, visibility, day)
);
create index insight_snapshots_day on insight_snapshots (day);
