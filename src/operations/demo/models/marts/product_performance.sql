-- Each product: pieces, revenue and returns of the last 90 days.
select
  p.product_id,
  p.sku,
  p.name,
  p.category,
  coalesce(s.pieces, 0) as pieces,
  coalesce(s.revenue, 0)::numeric(12, 2) as revenue,
  coalesce(s.revenue - s.cost, 0)::numeric(12, 2) as margin,
  coalesce(r.returned, 0) as returned,
  rank() over (order by coalesce(s.revenue, 0) desc)::int as revenue_rank
from demo_marts.dim_product p
left join (
  select product_id, sum(quantity)::int as pieces, sum(line_total_eur) as revenue, sum(cost_eur) as cost
  from demo_marts.fct_order_items
  where order_date > (select max(date_day) - 90 from demo_marts.dim_date)
  group by product_id
) s using (product_id)
left join (
  select product_id, sum(quantity)::int as returned
  from demo_ops.returns
  where requested_at > (select max(date_day) - 90 from demo_marts.dim_date)
  group by product_id
) r using (product_id)
