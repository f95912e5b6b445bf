-- Order lines in euros, with product and margin.
select
  i.order_id,
  i.line_number,
  o.order_date,
  o.customer_id,
  i.product_id,
  p.category,
  p.department,
  i.quantity,
  round(i.line_total * o.grand_total_eur / nullif(o.grand_total, 0), 2)::numeric(12, 2) as line_total_eur,
  i.cost_eur
from demo_staging.stg_order_items i
join demo_staging.stg_orders o using (order_id)
join demo_staging.stg_products p on p.product_id = i.product_id
where o.status <> 'cancelled'
