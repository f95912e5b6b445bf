-- Answers of handlers that are not one transaction: the key is claimed first, and the answer follows. `claimed_until` goes by the database's clock.
alter table idempotent_answers
  alter column status drop not null,
  alter column body drop not null,
  add column claim uuid,
  add column claimed_until timestamptz,
  add constraint idempotent_answers_answered check ((status is null) = (body is null) and (status is not null or claimed_until is not null));

-- The token that created this one: revoking a token revokes what it created. `from_environment`: given by TABLINUM_ADMIN_TOKEN, at most one is active.
alter table tokens
  add column created_by_token uuid references tokens (id) on delete set null,
  add column from_environment boolean not null default false;
create index tokens_created_by_token on tokens (created_by_token) where created_by_token is not null;
create unique index tokens_from_environment on tokens (from_environment) where from_environment and revoked_at is null;

-- Browsers that have signed in as a user before. They have a limit of their own for wrong passwords, so that others' tries do not lock them out.
create table known_devices (
  hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
create index known_devices_user_id on known_devices (user_id, last_used_at);
