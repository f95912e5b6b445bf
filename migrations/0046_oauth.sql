-- Applications that users connect with OAuth. A connection is a token whose secret changes with every refresh: `hash` is that of the current
-- access token, valid until `access_expires_at`; `expires_at` is when the connection ends if it is not refreshed again.
alter table tokens add column client text;
alter table tokens add column audience text;
alter table tokens add column access_expires_at timestamptz;
alter table tokens add column refresh_hash bytea;
alter table tokens add column used_refresh_hash bytea;
create unique index tokens_refresh_hash on tokens (refresh_hash) where refresh_hash is not null;
create index tokens_used_refresh_hash on tokens (used_refresh_hash) where used_refresh_hash is not null;

-- Authorization codes. A used code is kept until it expires, so that a second use is detected.
create table oauth_codes (
  hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  client text not null,
  client_name text not null,
  redirect_uri text not null,
  code_challenge text not null,
  scope text not null check (scope in ('read', 'write')),
  audience text not null,
  created_by_token uuid references tokens (id) on delete cascade,
  token_id uuid references tokens (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index oauth_codes_expires_at on oauth_codes (expires_at);
