-- Glossary terms are a field of every resource, like tags.
alter table resources add column terms uuid[];

-- Terms are found by `resource_refs` like all other references. Few resources have one, so the others do not pay for it.
create function write_term_refs() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from resource_refs f where f.field = 'terms' and f.resource_id = old.id and f.target = any(old.terms);
  end if;
  if tg_op <> 'DELETE' then
    insert into resource_refs (target, field, resource_id) select distinct t.id, 'terms', new.id from unnest(new.terms) t (id);
  end if;
  return null;
end $$;
create trigger write_term_refs_of_new after insert on resources for each row
when (new.terms is not null) execute function write_term_refs();
create trigger write_term_refs_of_edited after update of terms on resources for each row
when (old.terms is distinct from new.terms) execute function write_term_refs();
create trigger write_term_refs_of_deleted after delete on resources for each row
when (old.terms is not null) execute function write_term_refs();

-- Until now a resource had a term if it was in its collections or the value of a custom property. A term is no collection; a property stays.
update resources r set terms = m.terms, collections = m.collections
from (
  select a.id, array_agg(distinct a.term) as terms, (
    select array_agg(c.id order by c.n) from resources o cross join unnest(o.collections) with ordinality c (id, n)
    where o.id = a.id and not exists (select from resources g where g.id = c.id and g.entity_type = 'glossary')
  ) as collections
  from (
    select o.id, g.id as term from resources o cross join unnest(o.collections) c (id) join resources g on g.id = c.id and g.entity_type = 'glossary'
    union all
    select v.resource_id, g.id from custom_properties p join property_values v on v.property_id = p.id
      join resources g on g.id = case when p.value_type = 'resource' then v.value::uuid end and g.entity_type = 'glossary'
    where p.value_type = 'resource'
  ) a group by a.id
) m where r.id = m.id;
