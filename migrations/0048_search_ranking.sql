-- What admins adjust in search: the weights of the ranking (those that differ from the defaults), and resources that are pinned or hidden for a
-- query. There is no foreign key: rules of a deleted resource have no effect and apply again when it is restored.

alter table workspaces add column search_weights jsonb;

create table search_rules (
  query text not null,
  resource_id uuid not null,
  action text not null check (action in ('pin', 'hide')),
  position int not null,
  primary key (query, resource_id)
);
