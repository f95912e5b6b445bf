-- Mail server, Slack app and identity provider that admins set in the web app. Their secrets are encrypted like the credentials of integrations.
create table server_settings (
  id uuid primary key,
  service text not null unique check (service in ('email', 'slack', 'oidc')),
  config jsonb not null,
  secret bytea,
  secret_key text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((secret is null) = (secret_key is null))
);
