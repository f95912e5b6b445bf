-- Operations: people, warehouses, parcels and the support desk.

create schema demo_ops;
comment on schema demo_ops is 'Warehouses, parcels, purchasing and support, from the systems of the operations team.';

create table demo_ops.employees (
  employee_id integer primary key,
  full_name text not null,
  email text not null unique,
  phone text,
  department text not null,
  manager_id integer references demo_ops.employees,
  hired_on date not null,
  left_on date
);
comment on table demo_ops.employees is 'Everyone who works or worked here.';
comment on column demo_ops.employees.manager_id is 'Empty for the head of a department.';
comment on column demo_ops.employees.left_on is 'Last day; empty while they work here.';
insert into demo_ops.employees
select n, name.first || ' ' || name.last, lower(name.first) || '.' || lower(name.last) || n || '@shop.example.com',
  case when n % 4 > 0 then '+44 7700 900' || 800 + n end,
  (array['support', 'warehouse', 'buying', 'marketing', 'finance', 'data'])[1 + (n - 1) % 6], case when n > 6 then 1 + (n - 1) % 6 end,
  demo_tools.opened() - 200 + n * 14, case when n in (13, 27, 33) then demo_tools.today() - n end
from generate_series(1, 42) n cross join lateral (
  select demo_tools.pick(array['Ruth', 'Anders', 'Selin', 'Pavel', 'Maya', 'Hugo', 'Ines', 'Karl', 'Dana', 'Oren'], demo_tools.roll('employee first', n)) as first,
    demo_tools.pick(array['Brandt', 'Leclerc', 'Sato', 'Vogel', 'Marsh', 'Duarte', 'Falk', 'Petrov', 'Lowe', 'Amsel'], demo_tools.roll('employee last', n)) as last
) name;

create table demo_ops.warehouses (
  warehouse_id smallint primary key,
  name text not null,
  country_code char(2) not null references demo_raw.countries,
  street text not null,
  capacity_pallets integer not null,
  opened_on date not null
);
comment on table demo_ops.warehouses is 'Places that hold stock.';
insert into demo_ops.warehouses values
  (1, 'Seefeld', 'DE', 'Hafenweg 3', 4200, demo_tools.opened() - 30), (2, 'Montclair', 'FR', 'Quai Nord 18', 1800, demo_tools.opened() + 100),
  (3, 'Brightwater', 'US', 'Depot Road 40', 900, demo_tools.opened() + 300);

create table demo_ops.inventory (
  warehouse_id smallint not null references demo_ops.warehouses,
  product_id integer not null references demo_raw.products,
  on_hand integer not null,
  reserved integer not null,
  reorder_point integer not null,
  counted_at timestamptz,
  updated_at timestamptz not null,
  primary key (warehouse_id, product_id)
);
comment on table demo_ops.inventory is 'Pieces of each product in each warehouse, now.';
comment on column demo_ops.inventory.on_hand is 'Pieces on the shelf. Below zero means that somebody packed what was not booked in.';
comment on column demo_ops.inventory.reserved is 'Of these, promised to orders.';
comment on column demo_ops.inventory.reorder_point is 'Buy again when fewer are free.';
comment on column demo_ops.inventory.counted_at is 'Last stock-taking by hand.';
insert into demo_ops.inventory
select w, p.product_id, case when demo_tools.roll('miscount', p.product_id * 3 + w) < 0.01 then -2 else floor(180 * power(demo_tools.roll('stock', p.product_id * 3 + w), 2) / w) end,
  floor(4 * demo_tools.roll('reserved', p.product_id * 3 + w)), 10 + 5 * (p.product_id % 5),
  case when demo_tools.roll('counted', p.product_id * 3 + w) < 0.8 then demo_tools.moment(demo_tools.today() - 10 - p.product_id % 80, 'counted', p.product_id * 3 + w) end,
  least(demo_tools.moment(demo_tools.today(), 'stock at', p.product_id * 3 + w), demo_tools.now())
from generate_series(1, 3) w cross join demo_raw.products p
where w = 1 or demo_tools.roll('kept', p.product_id * 3 + w) < 0.6;

create table demo_ops.stock_movements (
  movement_id bigint primary key,
  warehouse_id smallint not null references demo_ops.warehouses,
  product_id integer not null references demo_raw.products,
  quantity integer not null,
  reason text not null,
  moved_at timestamptz not null
);
comment on table demo_ops.stock_movements is 'Every change of stock in the last 120 days.';
comment on column demo_ops.stock_movements.quantity is 'Pieces; negative when they leave.';
comment on column demo_ops.stock_movements.reason is 'sold, received, corrected or damaged.';
insert into demo_ops.stock_movements
select row_number() over (order by at, product_id), warehouse, product_id, quantity, reason, at
from (
  select case o.currency_code when 'USD' then 3 else 1 + i.order_id % 2 end as warehouse, i.product_id, -i.quantity as quantity, 'sold' as reason, o.placed_at + interval '5 hours' as at
  from demo_raw.order_items i join demo_raw.orders o using (order_id)
  where o.placed_at > demo_tools.today() - 120 and o.status not like 'cancel%'
  union all
  select 1 + n % 3, 1 + floor(240 * demo_tools.roll('received', n))::int, 20 + 10 * (n % 7), 'received', demo_tools.moment(demo_tools.today() - n % 120, 'received', n) from generate_series(1, 260) n
  union all
  select 1 + n % 3, 1 + floor(240 * demo_tools.roll('corrected', n))::int, -1 - n % 3, demo_tools.pick(array['corrected', 'damaged'], demo_tools.roll('why moved', n)), demo_tools.moment(demo_tools.today() - n % 120, 'corrected', n) from generate_series(1, 90) n
) m
where at < demo_tools.now();

create table demo_ops.purchase_orders (
  purchase_order_id integer primary key,
  supplier_id integer not null references demo_raw.suppliers,
  product_id integer not null references demo_raw.products,
  warehouse_id smallint not null references demo_ops.warehouses,
  quantity integer not null,
  unit_cost numeric(10, 2) not null,
  status text not null,
  ordered_on date not null,
  promised_on date not null,
  received_on date
);
comment on table demo_ops.purchase_orders is 'What we ordered from suppliers.';
comment on column demo_ops.purchase_orders.status is 'open, received or late.';
comment on column demo_ops.purchase_orders.promised_on is 'Ordered on, plus the supplier''s lead time.';
insert into demo_ops.purchase_orders
select n, p.supplier_id, p.product_id, 1 + n % 3, 40 + 20 * (n % 6), p.unit_cost, case when d.received is not null then 'received' when d.promised < demo_tools.today() then 'late' else 'open' end,
  d.ordered, d.promised, d.received
from generate_series(1, 420) n
  join demo_raw.products p on p.product_id = 1 + floor(240 * demo_tools.roll('bought', n))::int
  join demo_raw.suppliers s using (supplier_id)
  cross join lateral (select demo_tools.opened() + floor(540 * n / 421.0)::int as ordered) o
  cross join lateral (
    select o.ordered, o.ordered + s.lead_time_days as promised,
      case when o.ordered + s.lead_time_days + floor(6 * demo_tools.roll('supplier late', n))::int <= demo_tools.today()
        then o.ordered + s.lead_time_days + floor(6 * demo_tools.roll('supplier late', n))::int - 1 end as received
  ) d;

create table demo_ops.carriers (
  carrier_code text primary key,
  name text not null,
  promised_days smallint not null,
  tracking_url text
);
comment on table demo_ops.carriers is 'Who carries our parcels.';
comment on column demo_ops.carriers.promised_days is 'Working days from pick-up to door, by contract.';
insert into demo_ops.carriers values
  ('SWFT', 'Swift Parcel', 2, 'https://track.example.com/swft/'), ('GRNP', 'Green Post', 4, 'https://track.example.com/grnp/'),
  ('BLUE', 'Blue Freight', 5, null), ('BIKE', 'City Bike Couriers', 1, 'https://track.example.com/bike/');

create table demo_ops.shipments (
  shipment_id bigint primary key,
  order_id bigint not null references demo_raw.orders,
  warehouse_id smallint not null references demo_ops.warehouses,
  carrier_code text not null references demo_ops.carriers,
  tracking_number text,
  weight_grams integer,
  cost numeric(8, 2),
  shipped_at timestamptz not null,
  delivered_at timestamptz
);
comment on table demo_ops.shipments is 'Parcels on their way or delivered.';
comment on column demo_ops.shipments.cost is 'What the carrier bills us, in euros. Empty until the bill comes at the end of the month.';
comment on column demo_ops.shipments.delivered_at is 'As the carrier says. One row is earlier than shipped_at: a clock was wrong.';
insert into demo_ops.shipments
select row_number() over (order by t.shipped_at, o.order_id), o.order_id, case o.currency_code when 'USD' then 3 else 1 + o.order_id % 2 end, c.carrier_code,
  case when c.tracking_url is not null then c.carrier_code || lpad(o.order_id::text, 9, '0') end, w.grams,
  case when date_trunc('month', t.shipped_at) < date_trunc('month', demo_tools.now()) then round(3.2 + coalesce(w.grams, 900) / 700.0, 2) end,
  t.shipped_at, case when o.order_id = 1204 then t.shipped_at - interval '1 hour' when t.delivered_at < demo_tools.now() then t.delivered_at end
from demo_raw.orders o
  join demo_ops.carriers c on c.carrier_code = demo_tools.pick(array['SWFT', 'SWFT', 'SWFT', 'GRNP', 'GRNP', 'BLUE', 'BIKE'], demo_tools.roll('carrier', o.order_id))
  join (select i.order_id, sum(p.weight_grams * i.quantity) as grams from demo_raw.order_items i join demo_raw.products p using (product_id) group by 1) w on w.order_id = o.order_id
  cross join lateral (select o.placed_at + interval '1 hour' * (8 + 26 * demo_tools.roll('packed', o.order_id)) as shipped_at) s
  cross join lateral (select s.shipped_at, s.shipped_at + interval '1 day' * (c.promised_days - 0.6 + 2.2 * power(demo_tools.roll('on the road', o.order_id), 3)) as delivered_at) t
where o.status not like 'cancel%' and o.status not in ('placed', 'paid') and t.shipped_at < demo_tools.now();
create index shipments_order on demo_ops.shipments (order_id);

create table demo_ops.returns (
  return_id integer primary key,
  order_id bigint not null references demo_raw.orders,
  product_id integer not null references demo_raw.products,
  quantity integer not null,
  reason text,
  condition text not null,
  requested_at timestamptz not null,
  received_at timestamptz
);
comment on table demo_ops.returns is 'Goods that came back.';
comment on column demo_ops.returns.condition is 'new, opened or broken, as seen at the gate.';
insert into demo_ops.returns
select row_number() over (order by o.updated_at, i.order_id, i.line_number), i.order_id, i.product_id, i.quantity,
  case when demo_tools.roll('return why', i.order_id) < 0.8 then demo_tools.pick(array['wrong size', 'changed my mind', 'damaged', 'not as described'], demo_tools.roll('return reason', i.order_id)) end,
  demo_tools.pick(array['new', 'new', 'opened', 'broken'], demo_tools.roll('condition', i.order_id * 8 + i.line_number)),
  o.placed_at + interval '7 days', case when demo_tools.roll('arrived', i.order_id) < 0.95 then o.placed_at + interval '12 days' end
from demo_raw.orders o join demo_raw.order_items i using (order_id)
where o.status = 'returned' and (i.line_number = 1 or demo_tools.roll('whole order', i.order_id) < 0.5);

create table demo_ops.support_tickets (
  ticket_id integer primary key,
  customer_id integer references demo_raw.customers,
  order_id bigint references demo_raw.orders,
  topic text not null,
  priority text not null check (priority in ('low', 'normal', 'high')),
  status text not null check (status in ('open', 'waiting', 'solved')),
  assigned_to integer references demo_ops.employees,
  satisfaction smallint,
  opened_at timestamptz not null,
  first_answer_at timestamptz,
  solved_at timestamptz
);
comment on table demo_ops.support_tickets is 'Questions and complaints, one row for each case.';
comment on column demo_ops.support_tickets.order_id is 'The order it is about, when it is about one.';
comment on column demo_ops.support_tickets.satisfaction is '1 to 5, answered by about a third of customers.';
insert into demo_ops.support_tickets
select row_number() over (order by t.at, o.order_id), o.customer_id, case when t.topic <> 'other' then o.order_id end, t.topic,
  case when t.topic = 'damaged' then 'high' when t.topic = 'other' then 'low' else 'normal' end,
  case when t.solved < demo_tools.now() then 'solved' when o.order_id % 3 = 0 then 'waiting' else 'open' end,
  1 + 6 * floor(7 * demo_tools.roll('agent', o.order_id))::int,
  case when t.solved < demo_tools.now() and demo_tools.roll('asked', o.order_id) < 0.35 then (array[1, 3, 4, 4, 5, 5])[1 + o.order_id % 6] end,
  t.at, case when t.answered < demo_tools.now() then t.answered end, case when t.solved < demo_tools.now() then t.solved end
from demo_raw.orders o cross join lateral (
  select a.at, a.topic, a.at + interval '1 hour' * (0.3 + 9 * power(demo_tools.roll('answered', o.order_id), 3)) as answered,
    a.at + interval '1 hour' * (3 + 90 * power(demo_tools.roll('solved', o.order_id), 2)) as solved
  from (select o.placed_at + interval '1 hour' * (10 + 200 * demo_tools.roll('complaint', o.order_id)) as at,
    demo_tools.pick(array['where is it', 'where is it', 'damaged', 'return', 'invoice', 'other'], demo_tools.roll('topic', o.order_id)) as topic) a
) t
where demo_tools.roll('ticket', o.order_id) < 0.13 and t.at < demo_tools.now();

create table demo_ops.support_messages (
  message_id integer primary key,
  ticket_id integer not null references demo_ops.support_tickets,
  from_customer boolean not null,
  body text not null,
  sent_at timestamptz not null
);
comment on table demo_ops.support_messages is 'What was written in a case, by both sides.';
comment on column demo_ops.support_messages.body is 'Free text. Customers write phone numbers and worse in here.';
insert into demo_ops.support_messages
select row_number() over (order by sent_at, ticket_id), ticket_id, from_customer, body, sent_at
from (
  select t.ticket_id, true as from_customer, t.opened_at as sent_at, case t.topic
    when 'where is it' then 'My parcel should have been here on ' || to_char(t.opened_at, 'Day') || '. You can reach me on +44 7700 900' || 100 + t.ticket_id % 800 || '.'
    when 'damaged' then 'The parcel was open and the goods are broken. Pictures are attached.'
    when 'return' then 'I would like to send it back.'
    when 'invoice' then 'Please send the invoice to accounts' || t.ticket_id || '@example.org' || case when t.ticket_id % 40 = 0 then '. My card is 4111 1111 1111 1111.' else '.' end
    else 'When will the blue one be back?' end as body
  from demo_ops.support_tickets t
  union all
  select t.ticket_id, false, t.first_answer_at, 'Thank you for writing. We are looking into it.' from demo_ops.support_tickets t where t.first_answer_at is not null
  union all
  select t.ticket_id, false, t.solved_at, 'This is settled now. Write again whenever you like.' from demo_ops.support_tickets t where t.solved_at is not null
) m;

create table demo_ops.pipeline_runs (
  run_id integer primary key,
  pipeline text not null,
  status text not null check (status in ('succeeded', 'failed', 'running')),
  rows_written integer,
  started_at timestamptz not null,
  finished_at timestamptz,
  error text
);
comment on table demo_ops.pipeline_runs is 'The nightly pipelines of the last 120 days and how they went.';
comment on column demo_ops.pipeline_runs.rows_written is 'Empty when the run failed.';
insert into demo_ops.pipeline_runs
select row_number() over (order by r.started_at, p.name), p.name, case when r.broken then 'failed' else 'succeeded' end,
  case when not r.broken then round(p.rows * d.busy) end, r.started_at, r.started_at + r.took, case when r.broken then 'connection to the source was lost' end
from demo_tools.days d
  cross join (values (1, 'load_shop', 900), (2, 'load_ads', 12), (3, 'build_staging', 1200), (4, 'build_marts', 700), (5, 'export_finance', 90)) as p(nth, name, rows)
  cross join lateral (
    select d.day::timestamp at time zone 'UTC' + interval '1 hour' * (1 + p.nth * 0.7) + interval '1 second' * floor(240 * demo_tools.roll('begin', d.n * 8 + p.nth)) as started_at,
      interval '1 second' * round(60 + p.rows * 0.3 * (0.8 + 0.4 * demo_tools.roll('took', d.n * 8 + p.nth)) * (1 + d.n / 900.0)) as took,
      demo_tools.roll('broken', d.n * 8 + p.nth) < 0.02 as broken
  ) r
where d.day > demo_tools.today() - 120 and r.started_at + r.took < demo_tools.now();
