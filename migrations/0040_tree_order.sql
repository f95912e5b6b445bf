-- Children of a resource in the order of the tree, so that a page of a parent with 100,000 children reads a page. It also finds children by
-- parent, as the index it replaces did.
create index resources_tree on resources (
  parent,
  (case when jsonb_typeof(details -> 'sort_order') = 'number' then (details -> 'sort_order')::numeric end),
  lower(title),
  id
) where parent is not null;
drop index resources_parent;
