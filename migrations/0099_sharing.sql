-- Cards of tables on pages of other sites, and public links to single documents and glossary terms. Both are off until an admin allows them.
create table sharing_settings (
  id boolean primary key default true check (id),
  embed_origins text[] not null default '{}',
  public_links boolean not null default false,
  updated_at timestamptz not null
);

create table public_links (
  id uuid primary key,
  resource_id uuid not null references resources (id) on delete cascade,
  hash bytea not null unique,
  hint text not null,
  created_by uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create index public_links_resource on public_links (resource_id);
create index public_links_user on public_links (created_by);
