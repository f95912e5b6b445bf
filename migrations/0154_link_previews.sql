-- Whether links to published resources show more than the name of the product to programs without a session. Off until an admin allows it.
alter table sharing_settings add column link_previews boolean not null default false;
