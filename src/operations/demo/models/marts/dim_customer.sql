-- Customers as the business sees them: since when, how often, how much, and whether they are still with us.
with last_day as (
  select max(date_day) as today from demo_marts.dim_date
), orders as (
  select customer_id, count(*)::int as orders, min(order_date) as first_order_date, max(order_date) as last_order_date, sum(net_revenue) as revenue
  from demo_marts.fct_orders
  where status <> 'cancelled'
  group by customer_id
)
select
  c.customer_id,
  c.first_name || ' ' || c.last_name as full_name,
  c.email,
  c.country_code,
  n.region,
  c.acquisition_channel,
  c.marketing_consent,
  c.signed_up_at::date as signed_up_on,
  o.first_order_date,
  o.last_order_date,
  coalesce(o.orders, 0) as orders,
  coalesce(o.revenue, 0)::numeric(12, 2) as revenue,
  case
    when o.orders is null then 'never ordered'
    when o.last_order_date > d.today - 90 then 'active'
    when o.last_order_date > d.today - 180 then 'at risk'
    else 'churned'
  end as lifecycle
from demo_staging.stg_customers c
cross join last_day d
left join orders o using (customer_id)
left join demo_raw.countries n on n.country_code = c.country_code
where not c.deleted
