-- People sign in with a password, by an identity provider or with a token; a session is what they have then. Of everything that opens a
-- door only hashes are kept.

create table passwords (
  user_id uuid primary key references users on delete cascade,
  hash text not null, -- argon2id, with its parameters and salt
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  hash bytea not null unique,
  token_id uuid references tokens on delete cascade, -- it was begun with this token, and ends with it
  scope text not null check (scope in ('read', 'write', 'admin')),
  method text not null check (method in ('password', 'token', 'oidc', 'invitation')),
  address text,
  user_agent text,
  idle_seconds integer not null, -- unused for so long, it is over
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id, last_used_at desc, id);
create index sessions_expires_at on sessions (expires_at);
-- A new session is known to nobody yet, and its use decides nothing; one that ends must be out at once, everywhere.
create trigger access_changed after delete or truncate on sessions for each statement execute function access_changed();

-- A one-time link to choose a password: for the first admin, for those who are invited, for those who forgot theirs.
create table invitations (
  user_id uuid primary key references users on delete cascade,
  hash bytea not null unique,
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Who somebody is at an identity provider. An e-mail address can be given to another person, this cannot.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

-- Tries to sign in, by account and by address. Lost in a crash, and no harm: a quarter of an hour later they would be forgotten anyway.
create unlogged table sign_in_tries (
  key text collate "C" primary key,
  tries integer not null,
  since timestamptz not null
);
create index sign_in_tries_since on sign_in_tries (since);

-- What somebody looks at often, as the address says it.
create table saved_views (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  query text not null,
  page_name text not null,
  shared boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index saved_views_user on saved_views (user_id, lower(name), id);
create index saved_views_shared on saved_views (lower(name), id) where shared;

-- When somebody last looked at a resource, to find it again.
alter table resource_views add column last_at timestamptz;
update resource_views set last_at = day;
alter table resource_views alter column last_at set not null;
create index resource_views_user on resource_views (user_id, last_at desc);

-- Documents by who began them: a person's drafts are found here.
create index activities_documents_begun on activities (performer_id, logged_at desc) where version = 1 and resource_type = 'document';

-- What links to what in its documentation: `/r/<id>` anywhere in the text. A row of resource_search is written whenever a text is, and has
-- `docs` when there is documentation, so most rows never come here. No foreign keys, as with resource_refs: a link to what is gone, or is
-- not there yet, stays what it says.
create table resource_links (
  target uuid not null,
  resource_id uuid not null,
  primary key (target, resource_id)
);
create index resource_links_from on resource_links (resource_id);

create function links_in(text text) returns setof uuid language sql immutable parallel safe rows 5
begin atomic
  select distinct (m.found)[1]::uuid
  from regexp_matches(text, '/r/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-f-])', 'gi') m (found);
end;

create function links_written() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then delete from resource_links where resource_id = old.resource_id; end if;
  if tg_op <> 'DELETE' and new.docs is not null then
    insert into resource_links (target, resource_id)
    select l.target, r.id from resources r cross join lateral links_in(r.definition) l (target) where r.id = new.resource_id;
  end if;
  return null;
end $$;
create trigger links_added after insert on resource_search for each row when (new.docs is not null) execute function links_written();
-- The words can stay the same while a link changes, so every text that is written is read.
create trigger links_edited after update of docs on resource_search for each row
when (old.docs is not null or new.docs is not null) execute function links_written();
create trigger links_removed after delete on resource_search for each row when (old.docs is not null) execute function links_written();

create function links_emptied() returns trigger language plpgsql as $$
begin
  truncate resource_links;
  return null;
end $$;
create trigger links_emptied after truncate on resource_search for each statement execute function links_emptied();

insert into resource_links (target, resource_id)
select l.target, r.id from resources r cross join lateral links_in(r.definition) l (target) where r.definition like '%/r/%';
