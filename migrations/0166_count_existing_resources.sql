-- Counts the resources that are there, without locking any, as in 0161_count_existing_columns.sql: one statement sees one moment. The differences that
-- were stored until then are in its count and deleted; those of transactions that it does not see stay.
with gone as (
  delete from resource_counts
)
insert into resource_counts
select r.entity_type, r.integration, r.published, r.archived, r.pii, r.verified, r.teams, count(*) from resources r group by 1, 2, 3, 4, 5, 6, 7;
