-- The synonyms of glossary terms, for search: a term's title and each of its synonyms is a form, stored by the stems of its words. Only terms
-- with synonyms are listed. Written in the transaction of the change, like the rest of the search index.

create table search_synonyms (
  resource_id uuid not null,
  form text not null,
  stems text[] not null,
  primary key (resource_id, form)
);
create index search_synonyms_stems on search_synonyms using gin (stems);

-- A value that is not a list of texts, which a source may have written, counts as not set.
create function search_synonyms_of(title text, details jsonb) returns table (form text, stems text[]) language sql stable
begin atomic
  select f.form, array_agg(distinct t.stem order by t.stem)
  from (
    select distinct search_lower(btrim(s.value)) as form from (
      select title as value
      union all
      select e.value #>> '{}' from jsonb_array_elements(case jsonb_typeof(details -> 'synonyms') when 'array' then details -> 'synonyms' else '[]' end) e
      where jsonb_typeof(e.value) = 'string'
    ) s
  ) f cross join lateral search_typed(f.form) t
  where jsonb_typeof(details -> 'synonyms') = 'array'
  group by f.form;
end;

create function search_synonyms_write() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then delete from search_synonyms where resource_id = old.id; end if;
  if tg_op <> 'DELETE' and new.entity_type = 'glossary' then
    insert into search_synonyms (resource_id, form, stems) select new.id, f.form, f.stems from search_synonyms_of(new.title, new.details) f;
    insert into search_vocabulary (word) select search_new_words(array(select search_prose(s.form) from search_synonyms s where s.resource_id = new.id));
  end if;
  return null;
end $$;
create trigger search_synonyms_insert after insert on resources
for each row when (new.entity_type = 'glossary' and new.details ? 'synonyms') execute function search_synonyms_write();
create trigger search_synonyms_update after update of title, details, entity_type on resources
for each row when ((old.entity_type = 'glossary' or new.entity_type = 'glossary') and (old.details ? 'synonyms' or new.details ? 'synonyms'))
execute function search_synonyms_write();
create trigger search_synonyms_delete after delete on resources
for each row when (old.entity_type = 'glossary' and old.details ? 'synonyms') execute function search_synonyms_write();

create function search_synonyms_emptied() returns trigger language plpgsql as $$
begin
  truncate search_synonyms;
  return null;
end $$;
create trigger search_synonyms_emptied after truncate on resources for each statement execute function search_synonyms_emptied();

insert into search_synonyms (resource_id, form, stems)
select r.id, f.form, f.stems from resources r cross join lateral search_synonyms_of(r.title, r.details) f
where r.entity_type = 'glossary' and r.details ? 'synonyms';
