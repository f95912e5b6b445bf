-- The charts of the dashboards: dashboard | title | kind, then the statement. The tests run them all.

-- morning-numbers | Net revenue by day | line
select date_day, net_revenue
from demo_marts.daily_revenue
order by date_day;

-- morning-numbers | New customers by week | bar
select d.week_start, sum(r.new_customers) as new_customers
from demo_marts.daily_revenue r
join demo_marts.dim_date d using (date_day)
group by d.week_start
order by d.week_start;

-- morning-numbers | Revenue by country | bar
select country, sum(net_revenue) as net_revenue
from demo_marts.revenue_by_country
group by country
order by net_revenue desc;

-- customers | Retention by cohort | heatmap
select cohort_month, month_number, retention_percent
from demo_marts.cohort_retention
order by cohort_month, month_number;

-- customers | Customers by lifecycle | pie
select lifecycle, count(*) as customers
from demo_marts.dim_customer
group by lifecycle;

-- customers | Lifetime value by channel | bar
select acquisition_channel, avg(revenue) as revenue
from demo_marts.customer_lifetime_value
group by acquisition_channel;

-- campaigns | Cost per order | table
select campaign, cost, orders, cost_per_order
from demo_marts.campaign_performance
order by cost_per_order nulls last;

-- campaigns | Visits by source | line
select session_date, source, count(*) as visits
from demo_marts.fct_sessions
group by session_date, source
order by session_date;

-- warehouse-and-delivery | Runs out first | table
select sku, name, on_hand, days_left
from demo_marts.stock_health
where reorder
order by days_left nulls last;

-- warehouse-and-delivery | On time by carrier | line
select month_start, carrier, on_time_percent
from demo_marts.delivery_performance
order by month_start, carrier;

-- warehouse-and-delivery | Open tickets | number
select count(*) as open_tickets
from demo_ops.support_tickets
where status <> 'solved';

-- month-end | Ledger by account | table
select a.name, sum(e.amount) as amount
from demo_finance.ledger_entries e
join demo_finance.accounts a using (account_number)
group by a.name;

-- month-end | Budget by department | bar
select department, sum(planned_amount) as planned
from demo_finance.budgets
group by department;
