-- Products that run out soon: stock, sales a day, and days left at that pace.
select
  p.product_id,
  p.sku,
  p.name,
  sum(i.on_hand)::int as on_hand,
  sum(i.reserved)::int as reserved,
  round(f.pieces / 90.0, 2)::numeric(8, 2) as sold_per_day,
  round(sum(i.on_hand - i.reserved) / nullif(f.pieces / 90.0, 0), 0)::int as days_left,
  bool_or(i.on_hand - i.reserved < i.reorder_point) as reorder
from demo_marts.dim_product p
join demo_ops.inventory i using (product_id)
join demo_marts.product_performance f using (product_id)
where p.active
group by p.product_id, p.sku, p.name, f.pieces
