-- The children of a resource that a caller cannot see are found without reading those that they can see. The first one is scanned without the table.
select add_background_index('index_unpublished_children', 'resources_unpublished_children on resources (parent) where not published', 'resources');
select add_background_index('index_children_of_teams', 'resources_children_of_teams on resources (parent) where teams is not null', 'resources');
