-- Images and files that were uploaded to a resource. They outlive it while it is in the trash, so there is no foreign key; housekeeping deletes them.
create table attachments (
  id uuid primary key,
  resource_id uuid not null,
  name text not null,
  media_type text not null,
  byte_size integer not null,
  sha256 text not null,
  content bytea not null,
  created_at timestamptz not null,
  created_by uuid,
  -- A version refers to it. Versions are never deleted, so this stays true.
  referenced boolean not null default false
);
-- Images and archives are compressed already.
alter table attachments alter column content set storage external;
create index attachments_resource on attachments (resource_id);
create index attachments_unreferenced on attachments (created_at) where not referenced;
