-- Carriers by month: parcels, days on the road, and how many came as promised.
select
  date_trunc('month', shipped_at)::date as month_start,
  carrier_code,
  carrier,
  count(*)::int as parcels,
  round(avg(days_on_the_road), 2)::numeric(6, 2) as average_days,
  round(100.0 * count(*) filter (where days_on_the_road <= promised_days) / nullif(count(days_on_the_road), 0), 1)::numeric(5, 1) as on_time_percent
from demo_staging.stg_shipments
group by 1, 2, 3
