-- Tables as the shop's own application writes them: the source of everything else. Some values are dirty on purpose.

create schema demo_raw;
comment on schema demo_raw is 'Copies of the shop application''s tables, loaded every hour. Untouched, dirt included.';

-- ── Reference ────────────────────────────────────────────────────────────────────────────────────────────────────

create table demo_raw.currencies (
  currency_code char(3) primary key,
  name text not null,
  minor_units smallint not null,
  price_factor numeric(8, 4) not null
);
comment on table demo_raw.currencies is 'Currencies the shop sells in.';
comment on column demo_raw.currencies.currency_code is 'ISO 4217 code.';
comment on column demo_raw.currencies.minor_units is 'Digits after the decimal point.';
comment on column demo_raw.currencies.price_factor is 'Price list factor: what one euro of list price costs in this currency. Not an exchange rate.';
insert into demo_raw.currencies values
  ('EUR', 'Euro', 2, 1), ('GBP', 'Pound sterling', 2, 0.88), ('USD', 'US dollar', 2, 1.10),
  ('CHF', 'Swiss franc', 2, 1.02), ('SEK', 'Swedish krona', 2, 11.50), ('PLN', 'Polish zloty', 2, 4.40);

create table demo_raw.countries (
  country_code char(2) primary key,
  name text not null,
  region text not null,
  currency_code char(3) not null references demo_raw.currencies,
  opened_on date not null
);
comment on table demo_raw.countries is 'Countries the shop ships to.';
comment on column demo_raw.countries.country_code is 'ISO 3166-1 alpha-2 code, upper case.';
comment on column demo_raw.countries.region is 'Sales region, as in the monthly report.';
comment on column demo_raw.countries.currency_code is 'Currency of the country''s price list.';
comment on column demo_raw.countries.opened_on is 'First day the shop took orders from this country.';
insert into demo_raw.countries
select code, name, region, currency, demo_tools.opened() + after
from (values
  ('DE', 'Germany', 'Central Europe', 'EUR', 0), ('AT', 'Austria', 'Central Europe', 'EUR', 0), ('CH', 'Switzerland', 'Central Europe', 'CHF', 60),
  ('FR', 'France', 'Western Europe', 'EUR', 0), ('NL', 'Netherlands', 'Western Europe', 'EUR', 30), ('GB', 'United Kingdom', 'Western Europe', 'GBP', 90),
  ('ES', 'Spain', 'Southern Europe', 'EUR', 120), ('IT', 'Italy', 'Southern Europe', 'EUR', 120), ('SE', 'Sweden', 'Northern Europe', 'SEK', 180),
  ('PL', 'Poland', 'Eastern Europe', 'PLN', 240), ('US', 'United States', 'North America', 'USD', 300)
) as c(code, name, region, currency, after);

create table demo_raw.categories (
  category_id integer primary key,
  parent_id integer references demo_raw.categories,
  name text not null,
  slug text not null unique,
  sort_order smallint not null
);
comment on table demo_raw.categories is 'The product tree: departments, and the categories below them.';
comment on column demo_raw.categories.parent_id is 'The department; empty for a department itself.';
comment on column demo_raw.categories.slug is 'Part of the address of the category''s page.';
insert into demo_raw.categories
select id, parent, name, lower(regexp_replace(name, '[^A-Za-z]+', '-', 'g')), row_number() over (partition by parent order by id)
from (values
  (1, null, 'Kitchen'), (2, null, 'Garden'), (3, null, 'Office'), (4, null, 'Travel'), (5, null, 'Children'),
  (11, 1, 'Knives & boards'), (12, 1, 'Pots & pans'), (13, 1, 'Coffee & tea'), (14, 1, 'Storage jars'),
  (21, 2, 'Hand tools'), (22, 2, 'Planters'), (23, 2, 'Outdoor lights'),
  (31, 3, 'Notebooks'), (32, 3, 'Desk lamps'), (33, 3, 'Pens & ink'),
  (41, 4, 'Backpacks'), (42, 4, 'Bottles'), (43, 4, 'Blankets'),
  (51, 5, 'Wooden toys'), (52, 5, 'Picture books')
) as c(id, parent, name);

create table demo_raw.suppliers (
  supplier_id integer primary key,
  name text not null,
  country_code char(2) not null references demo_raw.countries,
  contact_email text not null,
  contact_phone text,
  iban text not null,
  lead_time_days smallint not null,
  active boolean not null,
  created_at timestamptz not null
);
comment on table demo_raw.suppliers is 'Makers and wholesalers the shop buys from.';
comment on column demo_raw.suppliers.contact_email is 'Whom to write about deliveries.';
comment on column demo_raw.suppliers.contact_phone is 'Whom to call about deliveries.';
comment on column demo_raw.suppliers.iban is 'Account that supplier bills are paid to.';
comment on column demo_raw.suppliers.lead_time_days is 'Days from purchase order to arrival, as agreed.';
comment on column demo_raw.suppliers.active is 'Can be ordered from now.';
insert into demo_raw.suppliers
select n,
  demo_tools.pick(array['Nordlicht', 'Alder', 'Kiesel', 'Marisma', 'Foglia', 'Harbour', 'Linden', 'Brisa', 'Tern', 'Ockham'], demo_tools.roll('supplier first', n))
    || ' ' || demo_tools.pick(array['Works', 'Trading', 'Manufaktur', 'Goods', 'Atelier', 'Supply'], demo_tools.roll('supplier second', n)) || ' ' || n,
  demo_tools.pick(array['DE', 'DE', 'AT', 'FR', 'IT', 'ES', 'SE', 'PL', 'GB'], demo_tools.roll('supplier country', n)),
  'orders@supplier-' || n || '.example.com',
  case when demo_tools.roll('supplier phone', n) < 0.8 then '+44 7700 900' || lpad((n * 7)::text, 3, '0') end,
  -- A valid check number on a bank that does not exist.
  'DE' || lpad((98 - (('00000000' || lpad((n * 104729)::text, 10, '0') || '131400')::numeric % 97))::text, 2, '0') || '00000000' || lpad((n * 104729)::text, 10, '0'),
  5 + floor(25 * demo_tools.roll('supplier lead', n)),
  demo_tools.roll('supplier active', n) < 0.9,
  demo_tools.opened()::timestamp at time zone 'UTC' + n * interval '11 days'
from generate_series(1, 28) n;

-- ── Products ─────────────────────────────────────────────────────────────────────────────────────────────────────

create table demo_raw.products (
  product_id integer primary key,
  sku text not null unique,
  name text not null,
  category_id integer not null references demo_raw.categories,
  supplier_id integer not null references demo_raw.suppliers,
  list_price numeric(10, 2) not null,
  unit_cost numeric(10, 2) not null,
  weight_grams integer,
  labels text[] not null,
  attributes jsonb not null,
  active boolean not null,
  launched_on date not null,
  updated_at timestamptz not null
);
comment on table demo_raw.products is 'Everything the shop sells or has sold. One row for each article.';
comment on column demo_raw.products.sku is 'Article number on the label, stable for ever.';
comment on column demo_raw.products.list_price is 'Price in euros, VAT included, before any discount.';
comment on column demo_raw.products.unit_cost is 'What one piece costs us, in euros without VAT.';
comment on column demo_raw.products.weight_grams is 'Shipping weight. Empty for about one article in fifteen: the carrier then weighs the parcel.';
comment on column demo_raw.products.labels is 'Free words for the shop''s own search.';
comment on column demo_raw.products.attributes is 'Colour and other facts, by name.';
comment on column demo_raw.products.active is 'Can be bought now.';
insert into demo_raw.products
select n, upper(left(c.slug, 3)) || '-' || lpad(n::text, 4, '0'),
  demo_tools.pick(array['Plain', 'Large', 'Small', 'Folding', 'Everyday', 'Heavy', 'Light', 'Striped', 'Classic'], demo_tools.roll('product adjective', n))
    || ' ' || demo_tools.pick(array['natural', 'black', 'white', 'blue', 'green'], demo_tools.roll('product colour', n))
    || ' ' || lower(split_part(c.name, ' &', 1)) || ' no. ' || n,
  c.category_id, 1 + floor(28 * demo_tools.roll('product supplier', n)), p.price, round(p.price * (0.35 + 0.25 * demo_tools.roll('product cost', n))::numeric, 2),
  case when demo_tools.roll('product weight', n) < 0.93 then 40 + floor(3200 * power(demo_tools.roll('product grams', n), 2)) end,
  array[split_part(c.slug, '-', 1), demo_tools.pick(array['gift', 'new', 'bestseller', 'eco'], demo_tools.roll('product label', n))],
  jsonb_build_object(
    'colour', demo_tools.pick(array['natural', 'black', 'white', 'blue', 'green'], demo_tools.roll('product colour', n)),
    'gift_wrap', demo_tools.roll('product wrap', n) < 0.3),
  demo_tools.roll('product active', n) < 0.92,
  demo_tools.opened() - floor(700 * demo_tools.roll('product launch', n))::int,
  demo_tools.moment(demo_tools.today() - 1 - floor(120 * demo_tools.roll('product touched', n))::int, 'product touched', n)
from generate_series(1, 240) n
  cross join lateral (select (4.9 + floor(90 * power(demo_tools.roll('product price', n), 2.2)))::numeric as price) p
  join (select *, row_number() over (order by category_id) as nth from demo_raw.categories where parent_id is not null) c
    on c.nth = 1 + floor(15 * demo_tools.roll('product category', n));

create table demo_raw.product_prices (
  product_id integer not null references demo_raw.products,
  valid_from date not null,
  price numeric(10, 2) not null,
  changed_by text,
  primary key (product_id, valid_from)
);
comment on table demo_raw.product_prices is 'Every list price a product ever had.';
comment on column demo_raw.product_prices.valid_from is 'First day of this price; it holds until the next row.';
comment on column demo_raw.product_prices.price is 'List price in euros, VAT included.';
insert into demo_raw.product_prices
select p.product_id, case k when 0 then p.launched_on else demo_tools.opened() + 170 * k - 30 + (p.product_id % 29) end,
  round(p.list_price * (1 - 0.04 * (3 - k)), 2), demo_tools.pick(array['import', 'mira', 'jonas'], demo_tools.roll('price by', p.product_id * 4 + k))
from demo_raw.products p cross join generate_series(0, 3) k
where k in (0, 3) or demo_tools.roll('price change', p.product_id * 4 + k) < 0.4;

-- ── Customers ────────────────────────────────────────────────────────────────────────────────────────────────────

create table demo_raw.customers (
  customer_id integer primary key,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone text,
  birth_date date,
  country_code text not null,
  acquisition_channel text,
  marketing_consent boolean not null,
  signed_up_at timestamptz not null,
  deleted_at timestamptz
);
comment on table demo_raw.customers is 'People with an account. Guests who order get one without a password.';
comment on column demo_raw.customers.email is 'As typed: some have capitals, blanks at the end, or stand here twice. Use stg_customers.';
comment on column demo_raw.customers.phone is 'Optional, in any notation.';
comment on column demo_raw.customers.birth_date is 'Optional. 1900-01-01 means that somebody skipped the field in the old app.';
comment on column demo_raw.customers.country_code is 'Two letters; the old app wrote them in lower case.';
comment on column demo_raw.customers.acquisition_channel is 'Where the first visit came from, when known.';
comment on column demo_raw.customers.marketing_consent is 'May we write to them.';
comment on column demo_raw.customers.deleted_at is 'When they asked to be forgotten; the name is then a placeholder.';
create index customers_signed_up_at on demo_raw.customers (signed_up_at);
insert into demo_raw.customers
select n,
  case when gone then 'Deleted' else first end, case when gone then 'Customer' else last end,
  case when gone then 'deleted-' || n || '@example.com'
    when n % 23 = 0 then first || '.' || upper(last) || n || '@example.com '
    else lower(first) || '.' || lower(last) || n || '@' || demo_tools.pick(array['example.com', 'example.org', 'mail.example.net'], demo_tools.roll('mail host', n)) end,
  case when not gone and demo_tools.roll('phone', n) < 0.71 then demo_tools.pick(array['+44 7700 900', '07700-900', '+1 (202) 555-0'], demo_tools.roll('phone style', n)) || 100 + n % 100 end,
  case when demo_tools.roll('birth known', n) < 0.55 then
    case when demo_tools.roll('birth skipped', n) < 0.04 then date '1900-01-01' else demo_tools.today() - 6700 - floor(17000 * demo_tools.roll('birth', n))::int end end,
  case when demo_tools.roll('country case', n) < 0.03 then lower(country) else country end,
  case when demo_tools.roll('channel known', n) < 0.9 then demo_tools.pick(array['search', 'search', 'direct', 'social', 'newsletter', 'referral'], demo_tools.roll('channel', n)) end,
  demo_tools.roll('consent', n) < 0.58,
  signed_up_at,
  case when gone then signed_up_at + (demo_tools.now() - signed_up_at) * 0.8 end
from generate_series(1, 1400) n cross join lateral (
  select
    -- Sign-ups grow: customer n of 1,400 came after this part of the shop's life.
    demo_tools.now() - interval '17 minutes' - 545 * interval '1 day' * (1 - (sqrt(1 + 8 * n / 1400.0) - 1) / 2) as signed_up_at,
    demo_tools.roll('gone', n) < 0.012 and n < 1300 as gone,
    demo_tools.pick(array['Mira', 'Jonas', 'Lena', 'Tomas', 'Amara', 'Felix', 'Nora', 'Oskar', 'Priya', 'Luca', 'Sofie', 'Elias', 'Hanna', 'Mateo', 'Zuzanna', 'Ben', 'Chloe', 'Anton', 'Freya', 'Idris'], demo_tools.roll('first name', n)) as first,
    demo_tools.pick(array['Keller', 'Moreau', 'Lindgren', 'Rossi', 'Novak', 'Baker', 'Okoye', 'Fischer', 'Garcia', 'Dupont', 'Jansen', 'Wagner', 'Silva', 'Nowak', 'Hughes', 'Berg', 'Conti', 'Huber', 'Walsh', 'Stein'], demo_tools.roll('last name', n)) as last,
    demo_tools.pick(array['DE', 'DE', 'DE', 'DE', 'DE', 'DE', 'FR', 'FR', 'AT', 'AT', 'CH', 'NL', 'GB', 'GB', 'ES', 'IT', 'SE', 'PL', 'US'], demo_tools.roll('country', n)) as country
) person;
-- Some people signed up twice.
update demo_raw.customers c set first_name = p.first_name, last_name = p.last_name, email = p.email
from demo_raw.customers p where c.customer_id % 140 = 0 and p.customer_id = c.customer_id - 9;

create table demo_raw.addresses (
  address_id integer primary key,
  customer_id integer not null references demo_raw.customers,
  kind text not null check (kind in ('shipping', 'billing')),
  recipient text not null,
  street text not null,
  postal_code text not null,
  city text not null,
  country_code text not null,
  created_at timestamptz not null
);
comment on table demo_raw.addresses is 'Where customers live and want their parcels. Everyone has a shipping address, some another one for bills.';
comment on column demo_raw.addresses.kind is 'shipping or billing.';
comment on column demo_raw.addresses.recipient is 'Name on the parcel.';
comment on column demo_raw.addresses.street is 'Street and number.';
insert into demo_raw.addresses
select row_number() over (order by c.customer_id, kind desc), c.customer_id, kind, c.first_name || ' ' || c.last_name,
  demo_tools.pick(array['Linden', 'Station', 'Mill', 'Harbour', 'Church', 'School', 'Garden', 'Market'], demo_tools.roll('street', c.customer_id)) || ' '
    || demo_tools.pick(array['Street', 'Lane', 'Road', 'Square'], demo_tools.roll('street kind', c.customer_id)) || ' ' || 1 + floor(120 * demo_tools.roll('house', c.customer_id)),
  lpad(floor(99999 * demo_tools.roll('postal code', c.customer_id))::text, 5, '0'),
  demo_tools.pick(array['Oldenau', 'Brightwater', 'Montclair', 'Seefeld', 'Altamira', 'Norrvik', 'Kaltenbach', 'Whitcombe'], demo_tools.roll('city', c.customer_id)),
  upper(c.country_code), c.signed_up_at + interval '3 minutes'
from demo_raw.customers c cross join unnest(array['shipping', 'billing']) kind
where kind = 'shipping' or demo_tools.roll('billing address', c.customer_id) < 0.18;
create index addresses_customer on demo_raw.addresses (customer_id);
