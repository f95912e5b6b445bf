-- Products with the names of their category, department and supplier.
select
  p.product_id,
  p.sku,
  p.name,
  c.name as category,
  d.name as department,
  s.name as supplier,
  p.list_price,
  p.unit_cost,
  round(100 * (p.list_price - p.unit_cost) / p.list_price, 1)::numeric(5, 1) as margin_percent,
  p.attributes ->> 'colour' as colour,
  p.active,
  p.launched_on
from demo_raw.products p
join demo_raw.categories c on c.category_id = p.category_id
join demo_raw.categories d on d.category_id = c.parent_id
join demo_raw.suppliers s on s.supplier_id = p.supplier_id
