-- Of the customers who first ordered in a month, how many ordered again n months later.
with firsts as (
  select customer_id, date_trunc('month', order_date)::date as cohort_month
  from demo_marts.fct_orders
  where first_order
), sizes as (
  select cohort_month, count(*)::int as cohort_size
  from firsts
  group by cohort_month
), active as (
  select
    f.cohort_month,
    (12 * (extract(year from o.order_date) - extract(year from f.cohort_month)) + extract(month from o.order_date) - extract(month from f.cohort_month))::int as month_number,
    count(distinct o.customer_id)::int as active_customers
  from demo_marts.fct_orders o
  join firsts f using (customer_id)
  group by 1, 2
)
select a.cohort_month, a.month_number, s.cohort_size, a.active_customers, round(100.0 * a.active_customers / s.cohort_size, 1)::numeric(5, 1) as retention_percent
from active a
join sizes s using (cohort_month)
