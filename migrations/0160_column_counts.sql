-- How many columns each table has, and how many of them are described, linked to terms and marked as PII, for each combination of what callers may see
-- of them. Only numbers that are added up: a change inserts its difference, so that no transaction waits for another, and housekeeping replaces
-- the rows of a table by their sum. Without archived columns.
create table column_counts (
  parent uuid,
  integration uuid,
  published boolean not null,
  teams uuid[],
  columns integer not null,
  columns_described integer not null,
  columns_with_terms integer not null,
  columns_pii integer not null
);

create function count_written_columns() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into column_counts
    select a.parent, a.integration, a.published, a.teams, count(*), count(*) filter (where a.description <> '' or a.definition <> ''), count(a.terms),
      count(*) filter (where a.pii)
    from added a where a.entity_type = 'column' and not a.archived group by 1, 2, 3, 4;
  else
    insert into column_counts
    select r.parent, r.integration, r.published, r.teams, -count(*), -count(*) filter (where r.description <> '' or r.definition <> ''), -count(r.terms),
      -count(*) filter (where r.pii)
    from removed r where r.entity_type = 'column' and not r.archived group by 1, 2, 3, 4;
  end if;
  return null;
end $$;

create function count_edited_column() returns trigger language plpgsql as $$
begin
  insert into column_counts
  select e.parent, e.integration, e.published, e.teams, sum(e.n), coalesce(sum(e.n) filter (where e.described), 0),
    coalesce(sum(e.n) filter (where e.with_terms), 0), coalesce(sum(e.n) filter (where e.pii), 0)
  from (values
    (-1, old.entity_type, old.archived, old.parent, old.integration, old.published, old.teams,
      (old.description <> '' or old.definition <> '') is true, old.terms is not null, old.pii),
    (1, new.entity_type, new.archived, new.parent, new.integration, new.published, new.teams,
      (new.description <> '' or new.definition <> '') is true, new.terms is not null, new.pii)
  ) e (n, entity_type, archived, parent, integration, published, teams, described, with_terms, pii)
  where e.entity_type = 'column' and not e.archived group by 1, 2, 3, 4;
  return null;
end $$;

create function truncate_column_counts() returns trigger language plpgsql as $$
begin
  truncate column_counts;
  return null;
end $$;

-- They wait for running writes: all of these are counted by the next migration, and all later ones by the triggers.
create trigger count_columns_insert after insert on resources referencing new table as added for each statement execute function count_written_columns();
create trigger count_columns_delete after delete on resources referencing old table as removed for each statement execute function count_written_columns();
create trigger count_columns_update after update on resources for each row
  when ((old.entity_type = 'column' or new.entity_type = 'column') and (
    old.entity_type <> new.entity_type or old.archived <> new.archived or old.published <> new.published or old.pii <> new.pii
    or old.parent is distinct from new.parent or old.integration is distinct from new.integration or old.teams is distinct from new.teams
    or (old.terms is null) <> (new.terms is null)
    or ((old.description <> '' or old.definition <> '') is true) <> ((new.description <> '' or new.definition <> '') is true)))
  execute function count_edited_column();
create trigger truncate_column_counts after truncate on resources for each statement execute function truncate_column_counts();
