-- Saved queries: title | by | uses a day | what for, then the statement. The tests run them all.

-- Revenue of the last seven days | katsu | 37 | For the Monday mail.
select date_day, orders, net_revenue
from demo_marts.daily_revenue
order by date_day desc
limit 7;

-- Customers at risk who agreed to mails | grace | 12 | The list for the win-back mail.
select customer_id, email, last_order_date
from demo_marts.dim_customer
where lifecycle = 'at risk' and marketing_consent
order by revenue desc;

-- Products that come back most | ada | 9 | Returns by product, with the reason given most often.
select p.sku, p.name, sum(r.quantity) as returned, mode() within group (order by r.reason) as usual_reason
from demo_ops.returns r
join demo_marts.dim_product p using (product_id)
group by p.sku, p.name
order by returned desc
limit 20;

-- Funnel by device | grace | 18 | Visits, carts and orders of the last 30 days.
select device, count(*) as visits, count(*) filter (where added_to_cart) as carts, count(*) filter (where ordered) as orders
from demo_marts.fct_sessions
where session_date > (select max(date_day) - 30 from demo_marts.dim_date)
group by device;

-- Days without exchange rates | katsu | 4 | Orders of these days are converted with the rate of the day before.
select d.date_day
from demo_marts.dim_date d
left join demo_finance.exchange_rates r on r.rate_date = d.date_day and r.currency_code = 'USD'
where r.rate_date is null
order by d.date_day;
