-- What a customer has brought so far, and their tenth of the ranking.
select
  c.customer_id,
  c.country_code,
  c.acquisition_channel,
  c.orders,
  c.revenue,
  m.margin,
  c.last_order_date - c.first_order_date as days_between_first_and_last,
  ntile(10) over (order by c.revenue desc, c.customer_id)::smallint as decile
from demo_marts.dim_customer c
join (
  select customer_id, sum(margin)::numeric(12, 2) as margin
  from demo_marts.fct_orders
  group by customer_id
) m using (customer_id)
where c.orders > 0
