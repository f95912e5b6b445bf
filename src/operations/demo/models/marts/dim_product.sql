-- Products with their rating and stock.
select
  p.product_id,
  p.sku,
  p.name,
  p.category,
  p.department,
  p.supplier,
  p.list_price,
  p.margin_percent,
  p.active,
  r.rating,
  coalesce(r.reviews, 0) as reviews,
  coalesce(s.on_hand, 0) as on_hand
from demo_staging.stg_products p
left join (
  select product_id, round(avg(rating), 2)::numeric(3, 2) as rating, count(*)::int as reviews
  from demo_raw.reviews
  where approved
  group by product_id
) r using (product_id)
left join (
  select product_id, sum(on_hand)::int as on_hand
  from demo_ops.inventory
  group by product_id
) s using (product_id)
