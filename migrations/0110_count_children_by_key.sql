-- Few new rows: their parents are looked up by key. A session that started while the catalog was small kept a plan that read all resources for one new row,
-- and an update of no row ran the triggers of an edit.
create or replace function count_children() returns trigger language plpgsql set enable_seqscan to off as $$
declare
  many constant int := 100;
  own uuid[]; -- parents that this transaction wrote
begin
  if tg_op = 'INSERT' then
    if not exists (select from added where parent is not null) then return null; end if;
    if exists (select from added offset many) then
      perform set_config('enable_seqscan', 'on', true);
      execute 'with d as materialized (
          select parent, count(*) as n from added where parent is not null group by parent
        ), own as (
          update resources p set children_count = p.children_count + d.n from d where p.id = d.parent and p.xmin = pg_current_xact_id()::xid returning p.id
        )
        insert into parent_changes as c (parent, added) select d.parent, d.n from d where d.parent not in (select o.id from own o)
        on conflict (xid, parent) do update set added = c.added + excluded.added';
    else
      select array_agg(p.id) into own from (select distinct parent from added where parent is not null) d
      cross join lateral (select p.id from resources p where p.id = d.parent and p.xmin = pg_current_xact_id()::xid offset 0) p;
      if own is not null then
        update resources p set children_count = p.children_count + (select count(*) from added a where a.parent = p.id) where p.id = any(own);
      end if;
      insert into parent_changes as c (parent, added)
      select a.parent, count(*) from added a where a.parent is not null and (own is null or a.parent <> all(own)) group by a.parent
      on conflict (xid, parent) do update set added = c.added + excluded.added;
    end if;
  else
    -- Without those that went themselves; by grouping, because a kept plan that joins them in pairs would take hours for very many.
    insert into parent_changes as c (parent, added)
    select g.id, sum(g.n) from (
      select parent as id, -1 as n, false as gone from removed where parent is not null
      union all
      select id, 0, true from removed
    ) g group by g.id having not bool_or(g.gone)
    on conflict (xid, parent) do update set added = c.added + excluded.added;
  end if;
  return null;
end $$;
