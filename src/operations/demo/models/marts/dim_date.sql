-- One row for each day from the first order to the last.
select
  d::date as date_day,
  extract(isodow from d)::smallint as weekday,
  to_char(d, 'FMDay') as weekday_name,
  extract(isodow from d) >= 6 as weekend,
  date_trunc('week', d)::date as week_start,
  date_trunc('month', d)::date as month_start,
  extract(quarter from d)::smallint as quarter,
  extract(year from d)::smallint as year
from generate_series(
  (select min(order_date) from demo_staging.stg_orders),
  (select max(order_date) from demo_staging.stg_orders),
  interval '1 day'
) d
