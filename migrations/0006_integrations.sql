-- Integrations as records: who sees them, how their source is reached, and how their syncs went.

alter table integrations
  add column teams uuid[],
  -- How the source is reached: in the clear what is no secret, and sealed (integrations/secrets.ts) what is, under the key of that
  -- name. Which secrets are set can be told without opening them.
  add column connection jsonb,
  add column secrets bytea,
  add column secrets_key text,
  add column secret_fields text[],
  add column schedule jsonb,
  add column last_synced_at timestamptz,
  add column last_sync_status text,
  add column last_sync_error text,
  add column next_sync_at timestamptz,
  -- The job that deletes it, where it has too many resources to go at once.
  add column removal_job uuid,
  add constraint integrations_sealed check ((secrets is null) = (secrets_key is null) and (secrets is null) = (secret_fields is null));

create index integrations_name on integrations ((lower(name) collate "C"), id);
create index integrations_next_sync on integrations (next_sync_at) where next_sync_at is not null;
create index integrations_secrets_key on integrations (secrets_key) where secrets_key is not null;
