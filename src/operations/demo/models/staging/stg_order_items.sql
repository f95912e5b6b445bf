-- Order lines with the cost of the goods beside the price.
select
  i.order_id,
  i.line_number,
  i.product_id,
  i.quantity,
  i.unit_price,
  i.line_total,
  (i.quantity * p.unit_cost)::numeric(12, 2) as cost_eur
from demo_raw.order_items i
join demo_raw.products p on p.product_id = i.product_id
