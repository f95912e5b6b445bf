-- Tags as records of their own. Resources name them by ID in `tags`; an ID no tag has is kept there and means nothing.
create table tags (
  id uuid primary key,
  name text not null,
  description text,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index tags_name on tags (lower(name));
