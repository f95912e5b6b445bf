-- Counts the columns that are there, without locking any: one statement sees one moment. The differences that were stored until then are in its count
-- and deleted; those of transactions that it does not see stay.
with gone as (
  delete from column_counts
)
insert into column_counts
select r.parent, r.integration, r.published, r.teams, count(*), count(*) filter (where r.description <> '' or r.definition <> ''), count(r.terms),
  count(*) filter (where r.pii)
from resources r where r.entity_type = 'column' and not r.archived group by 1, 2, 3, 4;
