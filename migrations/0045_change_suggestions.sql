-- Changes of the catalog that someone or an agent suggests and a person accepts or rejects. Without a resource it is a new glossary term.
create table change_suggestions (
  id uuid primary key,
  resource_id uuid,
  field text not null check (field in ('description', 'tag', 'owner', 'term')),
  value text not null,
  detail text,
  reason text,
  status text not null check (status in ('open', 'accepted', 'rejected')),
  created_by uuid references users (id),
  by_agent boolean not null,
  decided_by uuid references users (id),
  decided_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (resource_id is not null or field = 'term')
);
create index change_suggestions_resource on change_suggestions (resource_id, status);
create index change_suggestions_list on change_suggestions (status, created_at desc, id);
create index change_suggestions_author on change_suggestions (created_by, status);
