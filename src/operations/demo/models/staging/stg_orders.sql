-- Orders with one spelling of the status and all amounts in euros at the rate of the day.
select
  o.order_id,
  o.order_number,
  o.customer_id,
  o.placed_at,
  o.placed_at::date as order_date,
  case o.status when 'canceled' then 'cancelled' else o.status end as status,
  o.channel,
  o.coupon_code,
  o.currency_code,
  o.grand_total,
  round(o.item_total * r.euros_per_unit, 2)::numeric(12, 2) as item_total_eur,
  round(o.discount_total * r.euros_per_unit, 2)::numeric(12, 2) as discount_total_eur,
  round(o.shipping_total * r.euros_per_unit, 2)::numeric(12, 2) as shipping_total_eur,
  round(o.grand_total * r.euros_per_unit, 2)::numeric(12, 2) as grand_total_eur
from demo_raw.orders o
cross join lateral (
  select x.euros_per_unit
  from demo_finance.exchange_rates x
  where x.currency_code = o.currency_code and x.rate_date <= o.placed_at::date
  order by x.rate_date desc
  limit 1
) r
