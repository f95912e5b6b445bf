-- Long texts of versions are stored once for each resource; a change holds the beginning of a text and its hash. The text after one
-- autosave is the text before the next, so it is one row here instead of two copies in `activities`. The key begins with the resource:
-- writers of one resource already wait for each other, and no others have to. Rows written before keep their texts in `changes`.
create table history_texts (
  resource_id uuid not null,
  hash text collate "C" not null, -- SHA-256, base64url
  text text not null,
  primary key (resource_id, hash)
);

-- Every 10th version also holds the whole record, so that reading any version reads at most 10 entries.
alter table activities add column snapshot jsonb;

-- The log is followed in the order of its transactions, and a transaction can write a million entries.
create index activities_commit on activities (xid, id);
drop index activities_xid;

-- What was committed before a webhook was switched on, as a snapshot: `since` is the start of a request, and a transaction that began
-- before it may commit after it. Null for webhooks from before this migration and after a restore: then `since` decides.
alter table webhooks add column since_snapshot pg_snapshot;
