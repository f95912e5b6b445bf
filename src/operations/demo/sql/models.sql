-- Keys and comments for the models. A model's own description is the first line of its file.

comment on schema demo_staging is 'Views that clean the raw tables: one spelling, one currency, no duplicates. For those who build marts.';
comment on schema demo_marts is 'Tables for questions: facts, dimensions and summaries, rebuilt every night. Start here.';

alter table demo_marts.dim_date add primary key (date_day);
alter table demo_marts.fct_orders add primary key (order_id);
alter table demo_marts.fct_order_items add primary key (order_id, line_number);
alter table demo_marts.dim_customer add primary key (customer_id);
alter table demo_marts.dim_product add primary key (product_id);
alter table demo_marts.fct_sessions add primary key (session_id);
alter table demo_marts.daily_revenue add primary key (date_day);
alter table demo_marts.cohort_retention add primary key (cohort_month, month_number);
alter table demo_marts.customer_lifetime_value add primary key (customer_id);
alter table demo_marts.campaign_performance add primary key (campaign_id);
alter table demo_marts.product_performance add primary key (product_id);
alter table demo_marts.fct_order_items add foreign key (order_id) references demo_marts.fct_orders;
alter table demo_marts.fct_order_items add foreign key (product_id) references demo_marts.dim_product;
alter table demo_marts.fct_orders add foreign key (order_date) references demo_marts.dim_date;
create index fct_orders_date on demo_marts.fct_orders (order_date);

comment on column demo_staging.stg_customers.email is 'Lower case, no blanks, unique.';
comment on column demo_staging.stg_customers.birth_date is 'Empty when unknown.';
comment on column demo_staging.stg_customers.country_code is 'ISO 3166-1 alpha-2 code, upper case.';
comment on column demo_staging.stg_customers.acquisition_channel is 'unknown when the first visit was not tracked.';
comment on column demo_staging.stg_orders.order_date is 'The day of placed_at in UTC.';
comment on column demo_staging.stg_orders.status is 'placed, paid, shipped, delivered, returned or cancelled.';
comment on column demo_staging.stg_orders.grand_total_eur is 'What the customer pays, in euros at the rate of the day.';
comment on column demo_staging.stg_order_items.cost_eur is 'What the goods cost us, at today''s unit cost.';
comment on column demo_staging.stg_payments.took is 'From pressing Pay to the money.';
comment on column demo_staging.stg_refunds.amount_eur is 'In euros at the rate of the order''s day.';
comment on column demo_staging.stg_products.department is 'The category above the category.';
comment on column demo_staging.stg_products.margin_percent is 'Share of the list price that is not cost; VAT is still in it.';
comment on column demo_staging.stg_shipments.days_on_the_road is 'From pick-up to door. Empty while on the way.';
comment on column demo_staging.stg_web_sessions.source is 'direct when no link parameter came along.';
comment on column demo_staging.stg_web_sessions.ordered is 'The visit ended with an order.';

comment on column demo_marts.dim_date.weekday is '1 is Monday, 7 is Sunday.';
comment on column demo_marts.dim_date.week_start is 'Monday of the week.';
comment on column demo_marts.fct_orders.order_date is 'The day the order was placed, in UTC.';
comment on column demo_marts.fct_orders.status is 'placed, paid, shipped, delivered, returned or cancelled.';
comment on column demo_marts.fct_orders.country_code is 'Country of the customer. Empty when the account was merged into another.';
comment on column demo_marts.fct_orders.lines is 'Different products.';
comment on column demo_marts.fct_orders.pieces is 'Products, counted one by one.';
comment on column demo_marts.fct_orders.gross_revenue is 'What the customer paid, in euros, VAT and shipping included.';
comment on column demo_marts.fct_orders.refunded is 'Given back since, in euros.';
comment on column demo_marts.fct_orders.net_revenue is 'Gross revenue − refunds; 0 when cancelled. This is what we call Revenue.';
comment on column demo_marts.fct_orders.margin is 'Net revenue − cost of the goods. VAT is still in it.';
comment on column demo_marts.fct_orders.customer_order_number is '1 for a customer''s first order, 2 for the second …';
comment on column demo_marts.fct_orders.first_order is 'This order made them a customer.';
comment on column demo_marts.dim_customer.full_name is 'First and last name.';
comment on column demo_marts.dim_customer.revenue is 'Net revenue of all their orders, in euros.';
comment on column demo_marts.dim_customer.orders is 'Orders that were not cancelled.';
comment on column demo_marts.dim_customer.lifecycle is 'never ordered, active (ordered in the last 90 days), at risk (91 to 180) or churned.';
comment on column demo_marts.dim_product.rating is 'Mean of the approved reviews. Empty without any.';
comment on column demo_marts.dim_product.on_hand is 'Pieces in all warehouses.';
comment on column demo_marts.fct_sessions.bounced is 'Saw one page and left.';
comment on column demo_marts.fct_sessions.added_to_cart is 'Put something into the cart. Known for the last 90 days.';
comment on column demo_marts.fct_sessions.ordered is 'Ended with an order. Known for the last 90 days.';
comment on column demo_marts.daily_revenue.date_day is 'The day, in UTC. Days without an order are here too.';
comment on column demo_marts.daily_revenue.orders is 'Orders placed that day and not cancelled.';
comment on column demo_marts.daily_revenue.customers is 'Different people among them.';
comment on column demo_marts.daily_revenue.new_customers is 'People whose first order it was.';
comment on column demo_marts.daily_revenue.gross_revenue is 'What customers paid, in euros.';
comment on column demo_marts.daily_revenue.net_revenue is 'Gross revenue − refunds. Falls a little for weeks, while refunds come in.';
comment on column demo_marts.daily_revenue.average_order_value is 'Net revenue for each order. Empty on a day without orders.';
comment on column demo_marts.cohort_retention.cohort_month is 'Month of the first order.';
comment on column demo_marts.cohort_retention.month_number is 'Months since then; 0 is the first month itself.';
comment on column demo_marts.cohort_retention.retention_percent is 'Active customers of the cohort, in percent of its size.';
comment on column demo_marts.customer_lifetime_value.margin is 'Margin of all orders so far.';
comment on column demo_marts.customer_lifetime_value.decile is '1 is the tenth of customers that brought most.';
comment on column demo_marts.campaign_performance.cost_per_order is 'Empty when no order can be traced to the campaign.';
comment on column demo_marts.product_performance.returned is 'Pieces sent back.';
comment on column demo_marts.product_performance.revenue_rank is '1 is the best seller by revenue.';
comment on column demo_marts.revenue_by_country.share_percent is 'Share of the month''s net revenue.';
comment on column demo_marts.stock_health.days_left is 'Days until the last piece at the pace of the last 90 days.';
comment on column demo_marts.stock_health.reorder is 'Some warehouse is below its reorder point.';
comment on column demo_marts.delivery_performance.on_time_percent is 'Delivered within the days the carrier promises.';

-- Where a staging view only passes a column on, it passes on its description too.
do $$
declare c record;
begin
  for c in
    select v.nspname as schema, s.relname as view, a.attname as col, d.description
    from pg_class s join pg_namespace v on v.oid = s.relnamespace and v.nspname = 'demo_staging'
      join pg_attribute a on a.attrelid = s.oid and a.attnum > 0
      join pg_class r on 'stg_' || r.relname = s.relname join pg_namespace n on n.oid = r.relnamespace and n.nspname like 'demo\_%'
      join pg_attribute b on b.attrelid = r.oid and b.attname = a.attname
      join pg_description d on d.objoid = r.oid and d.objsubid = b.attnum and d.classoid = 'pg_class'::regclass
    where col_description(s.oid, a.attnum) is null
  loop
    execute format('comment on column %I.%I.%I is %L', c.schema, c.view, c.col, c.description);
  end loop;
end $$;

drop schema demo_tools cascade;
