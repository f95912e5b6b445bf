-- Refunds in euros, with a reason for each.
select
  r.refund_id,
  r.order_id,
  r.refunded_at,
  coalesce(r.reason, 'not given') as reason,
  round(r.amount * o.grand_total_eur / nullif(o.grand_total, 0), 2)::numeric(12, 2) as amount_eur
from demo_raw.refunds r
join demo_staging.stg_orders o using (order_id)
