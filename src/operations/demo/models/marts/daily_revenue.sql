-- Revenue day by day. What the company looks at every morning.
select
  d.date_day,
  count(o.order_id)::int as orders,
  count(distinct o.customer_id)::int as customers,
  count(o.order_id) filter (where o.first_order)::int as new_customers,
  coalesce(sum(o.gross_revenue), 0)::numeric(14, 2) as gross_revenue,
  coalesce(sum(o.refunded), 0)::numeric(14, 2) as refunded,
  coalesce(sum(o.net_revenue), 0)::numeric(14, 2) as net_revenue,
  coalesce(sum(o.margin), 0)::numeric(14, 2) as margin,
  round(avg(o.net_revenue), 2)::numeric(10, 2) as average_order_value
from demo_marts.dim_date d
left join demo_marts.fct_orders o on o.order_date = d.date_day and o.status <> 'cancelled'
group by d.date_day
