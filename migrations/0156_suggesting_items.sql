-- The items of a connector that suggest values for a resource, by key with their entity type: where a listing is incomplete, they tell which suggestions
-- may be withdrawn. Null: not known.
alter table resource_field_suggestions add column items jsonb;
