-- The language model of the assistant: one row at most. The key is encrypted like the credentials of integrations.
create table assistant_settings (
  id uuid primary key,
  only_row boolean not null default true unique check (only_row),
  enabled boolean not null,
  provider text not null check (provider in ('openai', 'anthropic')),
  url text not null,
  model text not null,
  secret bytea,
  secret_key text,
  share_values boolean not null,
  tokens_per_day bigint not null,
  cost_per_day double precision,
  input_price double precision,
  output_price double precision,
  timeout_seconds integer not null,
  retention_days integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((secret is null) = (secret_key is null))
);

-- Conversations are private: only their user reads them.
create table assistant_conversations (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  resource_id uuid, -- the resource it was started on; it may be deleted since
  title text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index assistant_conversations_list on assistant_conversations (user_id, updated_at desc, id);
create index assistant_conversations_old on assistant_conversations (updated_at);

-- A question with its answer. A running answer whose heartbeat is old was interrupted: its process died.
create table assistant_answers (
  id uuid primary key,
  conversation_id uuid not null references assistant_conversations (id) on delete cascade,
  question text not null,
  status text not null check (status in ('running', 'completed', 'failed', 'cancelled', 'interrupted')),
  text text not null default '',
  error text,
  steps jsonb not null default '[]',
  sources jsonb not null default '[]',
  provider text not null,
  model text not null,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost double precision,
  cancel_requested boolean not null default false,
  heartbeat_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz
);
create index assistant_answers_conversation on assistant_answers (conversation_id, created_at, id);
create index assistant_answers_running on assistant_answers (heartbeat_at) where status = 'running';

-- What a user has used on a day (UTC). It outlives the conversations, so that deleting them does not reset a limit.
create table assistant_usage (
  user_id uuid not null references users (id) on delete cascade,
  day date not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost double precision not null,
  primary key (user_id, day)
);
