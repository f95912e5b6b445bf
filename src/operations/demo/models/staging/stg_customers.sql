-- Customers, cleaned: one row for each person, addresses in lower case, invented birthdays gone.
select distinct on (lower(trim(c.email)))
  c.customer_id,
  c.first_name,
  c.last_name,
  lower(trim(c.email)) as email,
  c.phone,
  nullif(c.birth_date, date '1900-01-01') as birth_date,
  upper(c.country_code)::char(2) as country_code,
  coalesce(c.acquisition_channel, 'unknown') as acquisition_channel,
  c.marketing_consent,
  c.signed_up_at,
  c.deleted_at is not null as deleted
from demo_raw.customers c
order by lower(trim(c.email)), c.signed_up_at
