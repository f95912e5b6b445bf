-- Custom properties: named fields that a workspace adds to its resources, and their values.

create table custom_properties (
  id uuid primary key,
  name text not null,
  value_type text not null check (
    value_type in ('string', 'number', 'boolean', 'date', 'select', 'multi_select', 'user', 'resource', 'tag', 'url')
  ),
  entity_types text[], -- null means every type
  options text[],      -- what a select can be; null means any text
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index custom_properties_name on custom_properties (lower(name));

-- A value is text in the one normal form of its type. Numbers and lists are kept a second time as what they are, to compare by.
create table property_values (
  resource_id uuid not null references resources on delete cascade,
  property_id uuid not null references custom_properties on delete cascade,
  updated_at timestamptz not null,
  value text collate "C" not null check (value <> '' and octet_length(value) <= 2000), -- longer ones do not fit an index entry
  number numeric,
  items text[],
  primary key (resource_id, property_id)
);
create index property_values_value on property_values (property_id, value);
create index property_values_number on property_values (property_id, number) where number is not null;
create index property_values_items on property_values using gin (items) where items is not null;

-- Which properties had values written lately, and by which transaction: a remembered count of a filter on one of them no longer holds
-- (resources/count.ts). Values that go with their resource are written too, so nothing is missed.
create table property_changes (
  xid xid8 not null default pg_current_xact_id(),
  property_id uuid not null
);
create index property_changes_property on property_changes (property_id, xid);

create function note_property_changes() returns trigger language plpgsql as $$
begin
  insert into property_changes (property_id) select distinct property_id from written;
  return null;
end $$;
create trigger note_property_changes_added after insert on property_values referencing new table as written for each statement execute function note_property_changes();
create trigger note_property_changes_edited after update on property_values referencing new table as written for each statement execute function note_property_changes();
create trigger note_property_changes_removed after delete on property_values referencing old table as written for each statement execute function note_property_changes();
