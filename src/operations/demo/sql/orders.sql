-- Orders with items, payments, refunds and reviews. Generated first and then inserted, so that the totals are right immediately.

create table demo_raw.coupons (
  coupon_code text primary key,
  purpose text not null,
  discount_percent smallint not null check (discount_percent between 1 and 100),
  valid_from date not null,
  valid_to date,
  most_uses integer
);
comment on table demo_raw.coupons is 'Codes that make an order cheaper.';
comment on column demo_raw.coupons.discount_percent is 'Taken off the item total.';
comment on column demo_raw.coupons.valid_to is 'Last day; empty means no end.';
comment on column demo_raw.coupons.most_uses is 'How often it can be used in all; empty means as often as one likes.';
insert into demo_raw.coupons
select code, purpose, percent, demo_tools.opened() + after, case when lasts is not null then demo_tools.opened() + after + lasts end, most
from (values
  ('WELCOME10', 'First order of a newsletter reader', 10, 0, null, null), ('SORRY15', 'Given by support after a mishap', 15, 0, null, null),
  ('SPRING20', 'Spring sale', 20, 120, 21, 500), ('FRIENDS5', 'Brought by a friend', 5, 60, null, null), ('WINTER15', 'Winter sale', 15, 380, 30, 800)
) as c(code, purpose, percent, after, lasts, most);

create table demo_tools.drawn_orders as
select o.*, c.*, row_number() over (order by o.placed_at, o.draw) as order_id,
  demo_tools.now() - o.placed_at as age,
  (case when demo_tools.roll('coupon used', o.draw) < 0.14 then demo_tools.pick(array['WELCOME10', 'WELCOME10', 'FRIENDS5', 'SORRY15'], demo_tools.roll('coupon', o.draw)) end) as coupon_code
from (
  select d.n * 1000 + k as draw, demo_tools.moment(d.day, 'order', d.n * 1000 + k) as placed_at
  from demo_tools.days d cross join lateral generate_series(1, round(1.9 * d.busy)::int) k
) o
cross join lateral (
  select customer_id as newest from demo_raw.customers where signed_up_at < o.placed_at order by signed_up_at desc limit 1
) known
cross join lateral (
  -- Every fourth order comes from a few loyal customers; the others mostly from recent sign-ups.
  select case when demo_tools.roll('faithful', o.draw) < 0.25
    then 1 + 17 * floor(demo_tools.roll('customer', o.draw) * ((known.newest - 1) / 17))::int
    else known.newest - floor(power(demo_tools.roll('customer', o.draw), 1.7) * known.newest)::int end as customer_id
) chosen
cross join lateral (
  select p.customer_id, p.signed_up_at, n.country_code, n.currency_code, r.price_factor
  from demo_raw.customers p join demo_raw.countries n on n.country_code = upper(p.country_code) join demo_raw.currencies r using (currency_code)
  where p.customer_id = chosen.customer_id
) c
where o.placed_at < demo_tools.now();

create table demo_tools.drawn_items as
select o.order_id, line, p.product_id, p.list_price, 1 + floor(2.6 * power(demo_tools.roll('quantity', o.draw * 8 + line), 3))::int as quantity,
  round(p.list_price * o.price_factor, 2) as unit_price,
  case when demo_tools.roll('on sale', o.draw * 8 + line) < 0.08 then 10 else 0 end as discount_percent
from demo_tools.drawn_orders o
  cross join lateral generate_series(1, 1 + floor(4 * power(demo_tools.roll('lines', o.draw), 2))::int) line
  join demo_raw.products p on p.product_id = 1 + floor(240 * power(demo_tools.roll('product', o.draw * 8 + line), 1.6))::int;

analyze demo_tools.drawn_orders, demo_tools.drawn_items;

create table demo_raw.orders (
  order_id bigint primary key,
  order_number text not null unique,
  customer_id integer not null references demo_raw.customers,
  shipping_address_id integer references demo_raw.addresses,
  placed_at timestamptz not null,
  status text not null,
  channel text not null,
  currency_code char(3) not null references demo_raw.currencies,
  coupon_code text references demo_raw.coupons,
  item_total numeric(12, 2) not null,
  discount_total numeric(12, 2) not null,
  shipping_total numeric(12, 2) not null,
  grand_total numeric(12, 2) not null,
  note text,
  updated_at timestamptz not null
);
comment on table demo_raw.orders is 'One row for each order, from the moment it is placed.';
comment on column demo_raw.orders.order_number is 'What customers see and tell support.';
comment on column demo_raw.orders.placed_at is 'When the customer pressed Buy, in UTC.';
comment on column demo_raw.orders.status is 'placed, paid, shipped, delivered, returned or cancelled. The old app wrote canceled.';
comment on column demo_raw.orders.channel is 'web, app or phone.';
comment on column demo_raw.orders.currency_code is 'Currency of all amounts of this order.';
comment on column demo_raw.orders.item_total is 'Sum of the lines, VAT included.';
comment on column demo_raw.orders.discount_total is 'What the coupon took off.';
comment on column demo_raw.orders.shipping_total is 'Free from 60 euros.';
comment on column demo_raw.orders.grand_total is 'What the customer pays: items − discount + shipping.';
comment on column demo_raw.orders.note is 'A word from the customer. Free text: may hold anything.';
comment on column demo_raw.orders.updated_at is 'Last change of the status.';
insert into demo_raw.orders
select o.order_id, 'S' || to_char(o.placed_at, 'YY') || '-' || lpad(o.order_id::text, 6, '0'), o.customer_id, a.address_id, o.placed_at, s.status,
  demo_tools.pick(array['web', 'web', 'web', 'web', 'app', 'app', 'app', 'phone'], demo_tools.roll('order channel', o.draw)),
  o.currency_code, o.coupon_code, i.total, d.discount, d.shipping, i.total - d.discount + d.shipping,
  case when demo_tools.roll('note', o.draw) < 0.06 then demo_tools.pick(array['Please leave at the door.', 'It is a present, no bill in the parcel please.', 'Ring twice.', 'Call me on +44 7700 900123 before delivery.'], demo_tools.roll('which note', o.draw)) end,
  least(o.placed_at + s.lasted, demo_tools.now())
from demo_tools.drawn_orders o
  join demo_raw.addresses a on a.customer_id = o.customer_id and a.kind = 'shipping'
  join (select order_id, sum(round(quantity * unit_price * (100 - discount_percent) / 100, 2)) as total from demo_tools.drawn_items group by order_id) i using (order_id)
  left join demo_raw.coupons c using (coupon_code)
  cross join lateral (
    select round(i.total * coalesce(c.discount_percent, 0) / 100, 2) as discount, case when i.total / o.price_factor >= 60 then 0 else round(4.9 * o.price_factor, 2) end as shipping
  ) d
  cross join lateral (
    select case
        when demo_tools.roll('cancelled', o.draw) < 0.04 then case when o.order_id % 7 = 0 then 'canceled' else 'cancelled' end
        when o.age < interval '8 hours' then 'placed' when o.age < interval '30 hours' then 'paid' when o.age < interval '5 days' then 'shipped'
        when demo_tools.roll('returned', o.draw) < 0.06 and o.age > interval '20 days' then 'returned' else 'delivered' end as status,
      interval '1 hour' * (4 + 100 * demo_tools.roll('lasted', o.draw)) as lasted
  ) s;
create index orders_customer on demo_raw.orders (customer_id);
create index orders_placed_at on demo_raw.orders (placed_at);

create table demo_raw.order_items (
  order_id bigint not null references demo_raw.orders,
  line_number smallint not null,
  product_id integer not null references demo_raw.products,
  quantity integer not null check (quantity > 0),
  unit_price numeric(12, 2) not null,
  discount_percent smallint not null,
  line_total numeric(12, 2) not null,
  primary key (order_id, line_number)
);
comment on table demo_raw.order_items is 'The lines of an order: which product, how many, at what price.';
comment on column demo_raw.order_items.unit_price is 'Price of one piece in the order''s currency, VAT included.';
comment on column demo_raw.order_items.discount_percent is 'Sale discount on this line, coupons aside.';
comment on column demo_raw.order_items.line_total is 'Quantity × unit price, less the line''s discount.';
insert into demo_raw.order_items
select order_id, line, product_id, quantity, unit_price, discount_percent, round(quantity * unit_price * (100 - discount_percent) / 100, 2)
from demo_tools.drawn_items;
create index order_items_product on demo_raw.order_items (product_id);

create table demo_raw.payments (
  payment_id bigint primary key,
  order_id bigint not null references demo_raw.orders,
  method text not null,
  status text not null check (status in ('captured', 'failed', 'pending', 'voided')),
  amount numeric(12, 2) not null,
  currency_code char(3) not null references demo_raw.currencies,
  card_last4 text,
  provider_reference text not null,
  attempted_at timestamptz not null,
  captured_at timestamptz
);
comment on table demo_raw.payments is 'Attempts to pay. An order has several when the first ones failed.';
comment on column demo_raw.payments.method is 'card, wallet, bank_transfer or invoice.';
comment on column demo_raw.payments.status is 'captured means that the money is ours.';
comment on column demo_raw.payments.card_last4 is 'Last four digits, for card payments only.';
comment on column demo_raw.payments.provider_reference is 'The payment provider''s own number.';
comment on column demo_raw.payments.captured_at is 'When the money was taken. Empty unless captured.';
insert into demo_raw.payments
select row_number() over (order by t.attempted_at, o.order_id, try), o.order_id, t.method,
  case when not t.last then 'failed' when o.status like 'cancel%' then 'voided' when o.status = 'placed' then 'pending' else 'captured' end,
  o.grand_total, o.currency_code,
  case when t.method = 'card' then lpad(floor(9999 * demo_tools.roll('card', o.customer_id))::text, 4, '0') end,
  'pay_' || left(encode(sha256((o.order_number || try)::bytea), 'hex'), 16), t.attempted_at,
  case when t.last and o.status not like 'cancel%' and o.status <> 'placed' then t.attempted_at + interval '1 second' * (2 + floor(40 * demo_tools.roll('capture', o.order_id))) end
from demo_raw.orders o
  cross join lateral (select 1 + (demo_tools.roll('failed once', o.order_id) < 0.07)::int as tries) n
  cross join lateral generate_series(1, n.tries) try
  cross join lateral (
    select demo_tools.pick(array['card', 'card', 'card', 'wallet', 'wallet', 'bank_transfer', 'invoice'], demo_tools.roll('method', o.order_id * 2 + try)) as method,
      try = n.tries as last, least(o.placed_at + try * interval '1 minute', demo_tools.now()) as attempted_at
  ) t;
analyze demo_raw.orders, demo_raw.order_items, demo_raw.payments;
create index payments_order on demo_raw.payments (order_id);

create table demo_raw.refunds (
  refund_id bigint primary key,
  payment_id bigint not null references demo_raw.payments,
  order_id bigint not null references demo_raw.orders,
  amount numeric(12, 2) not null,
  reason text,
  refunded_at timestamptz not null
);
comment on table demo_raw.refunds is 'Money given back, whole or in part.';
comment on column demo_raw.refunds.amount is 'In the order''s currency.';
comment on column demo_raw.refunds.reason is 'returned, damaged, late or goodwill; empty for some entered by hand.';
insert into demo_raw.refunds
select row_number() over (order by r.at, p.payment_id), p.payment_id, p.order_id, round(p.amount * r.part, 2),
  case when o.status = 'returned' then 'returned' when demo_tools.roll('reason', p.order_id) < 0.85 then demo_tools.pick(array['damaged', 'late', 'goodwill'], demo_tools.roll('which reason', p.order_id)) end,
  r.at
from demo_raw.payments p join demo_raw.orders o using (order_id)
  cross join lateral (
    select p.captured_at + interval '1 hour' * (80 + 300 * demo_tools.roll('refund after', p.order_id)) as at,
      case when o.status = 'returned' then 1 else (array[1, 0.5, 0.2])[1 + p.order_id % 3] end::numeric as part
  ) r
where p.status = 'captured' and (o.status = 'returned' or demo_tools.roll('refund', p.order_id) < 0.02) and r.at < demo_tools.now();

create table demo_raw.reviews (
  review_id integer primary key,
  product_id integer not null references demo_raw.products,
  customer_id integer not null references demo_raw.customers,
  order_id bigint not null references demo_raw.orders,
  rating smallint not null check (rating between 1 and 5),
  title text,
  body text,
  language char(2) not null,
  approved boolean not null,
  created_at timestamptz not null
);
comment on table demo_raw.reviews is 'What customers say about products they bought.';
comment on column demo_raw.reviews.rating is 'Stars, 1 to 5.';
comment on column demo_raw.reviews.body is 'Free text; two reviews in three have none.';
comment on column demo_raw.reviews.approved is 'Shown in the shop.';
insert into demo_raw.reviews
select row_number() over (order by w.at, i.order_id), i.product_id, o.customer_id, i.order_id, w.rating,
  case when demo_tools.roll('review title', i.order_id) < 0.6 then (array['Not for me', 'Could be better', 'It is fine', 'Good', 'Lovely'])[w.rating] end,
  case when demo_tools.roll('review body', i.order_id) < 0.34 then demo_tools.pick(array['Looks just like the picture.', 'Arrived quickly and well packed.', 'Smaller than I thought.', 'We use it every day.', 'The second one I bought.'], demo_tools.roll('which body', i.order_id)) end,
  demo_tools.pick(array['de', 'de', 'fr', 'en', 'it'], demo_tools.roll('review language', i.order_id)), demo_tools.roll('approved', i.order_id) < 0.95, w.at
from demo_raw.order_items i join demo_raw.orders o using (order_id)
  cross join lateral (
    select o.placed_at + interval '1 hour' * (120 + 500 * demo_tools.roll('review after', i.order_id)) as at,
      (array[1, 2, 3, 4, 4, 4, 5, 5, 5, 5, 5])[1 + floor(11 * demo_tools.roll('rating', i.order_id))::int] as rating
  ) w
where i.line_number = 1 and demo_tools.roll('review', i.order_id) < 0.17 and o.status in ('delivered', 'returned') and w.at < demo_tools.now();

-- Somebody's safety copy before a migration. Every warehouse has one.
create table demo_raw.orders_backup as
select order_id, customer_id, placed_at, status, grand_total from demo_raw.orders where placed_at < demo_tools.today() - 400;
