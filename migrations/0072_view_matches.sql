-- A saved view can notify its owner about new matches. What matched before is stored, so that only new matches are notified.
alter table saved_views add column notify boolean not null default false;
alter table saved_views add column checked_at timestamptz;
create index saved_views_notify on saved_views (checked_at nulls first) where notify;

create table saved_view_matches (
  view_id uuid not null references saved_views (id) on delete cascade,
  resource_id uuid not null,
  primary key (view_id, resource_id)
);
