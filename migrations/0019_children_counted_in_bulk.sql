-- A function keeps the plan of its first call. Made when the catalog was empty, that of counting children read the whole table for every
-- batch of a first import: a sixth of its time at 200,000 lines, and more with every line. So it is made anew for a batch, which costs what
-- three rows of it do; a single resource has the kept one.
create or replace function count_children() returns trigger language plpgsql as $$
declare
  many constant int := 100;
begin
  if tg_op = 'INSERT' then
    if not exists (select from added where parent is not null) then return null; end if;
    if exists (select from added offset many) then
      execute 'update resources p set children_count = p.children_count + d.n
        from (select parent, count(*) as n from added where parent is not null group by parent) d where p.id = d.parent';
    else
      update resources p set children_count = p.children_count + d.n
      from (select parent, count(*) as n from added where parent is not null group by parent) d where p.id = d.parent;
    end if;
  else
    update resources p set children_count = p.children_count - d.n
    from (select parent, count(*) as n from removed where parent is not null group by parent) d where p.id = d.parent;
  end if;
  return null;
end $$;
