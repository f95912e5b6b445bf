-- Every order with its money in euros, its margin and its place in the customer's history. The table most questions start from.
with items as (
  select order_id, sum(quantity)::int as pieces, count(*)::int as lines, sum(cost_eur) as cost_eur
  from demo_staging.stg_order_items
  group by order_id
), refunds as (
  select order_id, sum(amount_eur) as refunded_eur
  from demo_staging.stg_refunds
  group by order_id
)
select
  o.order_id,
  o.order_number,
  o.customer_id,
  o.order_date,
  o.placed_at,
  o.status,
  o.channel,
  c.country_code,
  o.coupon_code,
  i.lines,
  i.pieces,
  o.grand_total_eur as gross_revenue,
  coalesce(r.refunded_eur, 0)::numeric(12, 2) as refunded,
  case when o.status = 'cancelled' then 0 else o.grand_total_eur - coalesce(r.refunded_eur, 0) end::numeric(12, 2) as net_revenue,
  case when o.status = 'cancelled' then 0 else o.grand_total_eur - coalesce(r.refunded_eur, 0) - i.cost_eur end::numeric(12, 2) as margin,
  row_number() over (partition by o.customer_id order by o.placed_at, o.order_id)::int as customer_order_number,
  row_number() over (partition by o.customer_id order by o.placed_at, o.order_id) = 1 as first_order
from demo_staging.stg_orders o
join items i on i.order_id = o.order_id
left join refunds r on r.order_id = o.order_id
left join demo_staging.stg_customers c on c.customer_id = o.customer_id
