-- Net revenue by month and country, with the share of the month.
select
  d.month_start,
  o.country_code,
  n.name as country,
  n.region,
  count(*)::int as orders,
  sum(o.net_revenue)::numeric(14, 2) as net_revenue,
  round(100 * sum(o.net_revenue) / sum(sum(o.net_revenue)) over (partition by d.month_start), 1)::numeric(5, 1) as share_percent
from demo_marts.fct_orders o
join demo_marts.dim_date d on d.date_day = o.order_date
join demo_raw.countries n on n.country_code = o.country_code
group by d.month_start, o.country_code, n.name, n.region
