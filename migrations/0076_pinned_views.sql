-- Saved views that a person pinned to the navigation.
create table pinned_views (
  user_id uuid not null references users (id),
  view_id uuid not null references saved_views (id) on delete cascade,
  created_at timestamptz not null,
  primary key (user_id, view_id)
);
create index pinned_views_view on pinned_views (view_id);
