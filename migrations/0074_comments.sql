-- Comments on resources and columns, in threads: `thread` is the first comment of the thread, which is also the one that is resolved.
-- `thread_at` is when that was written, so that a list can be read in the order of threads. A deleted comment that has replies stays without its text.
create table comments (
  id uuid primary key,
  resource_id uuid not null references resources on delete cascade,
  thread uuid not null,
  thread_at timestamptz not null,
  text text,
  created_by uuid references users (id),
  resolved_by uuid references users (id),
  resolved_at timestamptz,
  edited_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (char_length(text) between 1 and 10000),
  check (resolved_at is null or thread = id)
);
create index comments_resource on comments (resource_id, thread_at desc, thread, created_at, id);
create index comments_thread on comments (thread, created_at, id);
create index comments_author on comments (created_by, created_at desc);
create index comments_open on comments (resource_id) where thread = id and resolved_at is null;
