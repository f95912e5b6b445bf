-- Finance: rates, the ledger, invoices and plans. In the catalog only the finance team sees this schema.

create schema demo_finance;
comment on schema demo_finance is 'Ledger, invoices, payouts and budgets. Kept by the finance team.';

create table demo_finance.exchange_rates (
  rate_date date not null,
  currency_code char(3) not null references demo_raw.currencies,
  euros_per_unit numeric(12, 6) not null,
  source text not null,
  primary key (currency_code, rate_date)
);
comment on table demo_finance.exchange_rates is 'What one unit of a currency was worth in euros, day by day.';
comment on column demo_finance.exchange_rates.rate_date is 'Some days are missing: take the last one before.';
comment on column demo_finance.exchange_rates.euros_per_unit is 'Multiply an amount by this to get euros. 1 for the euro itself.';
insert into demo_finance.exchange_rates
select d.day, c.currency_code,
  case when c.currency_code = 'EUR' then 1
    else round((0.985 / c.price_factor * (1 + 0.02 * sin(d.n / 40.0 + length(c.name)) + 0.004 * demo_tools.roll('rate ' || c.currency_code, d.n)))::numeric, 6) end,
  'central bank'
from demo_tools.days d cross join demo_raw.currencies c
where c.currency_code = 'EUR' or demo_tools.roll('bank holiday', d.n) > 0.02;

create table demo_finance.tax_rates (
  country_code char(2) not null references demo_raw.countries,
  valid_from date not null,
  vat_percent numeric(4, 1) not null,
  primary key (country_code, valid_from)
);
comment on table demo_finance.tax_rates is 'Value added tax by country, and since when.';
comment on column demo_finance.tax_rates.vat_percent is 'Standard rate. 0 where the price list has no tax in it.';
insert into demo_finance.tax_rates
select code, demo_tools.opened() - 365, percent
from (values ('DE', 19), ('AT', 20), ('CH', 8.1), ('FR', 20), ('NL', 21), ('GB', 20), ('ES', 21), ('IT', 22), ('SE', 25), ('PL', 23), ('US', 0)) as r(code, percent);

create table demo_finance.accounts (
  account_number text primary key,
  name text not null,
  kind text not null check (kind in ('asset', 'liability', 'income', 'expense'))
);
comment on table demo_finance.accounts is 'The chart of accounts.';
insert into demo_finance.accounts values
  ('1200', 'Bank', 'asset'), ('1400', 'Money at the payment provider', 'asset'), ('1776', 'VAT collected', 'liability'), ('4000', 'Sales', 'income'),
  ('4730', 'Refunds', 'income'), ('5400', 'Goods', 'expense'), ('6600', 'Advertising', 'expense'), ('6740', 'Shipping', 'expense');

create table demo_finance.invoices (
  invoice_number text primary key,
  order_id bigint not null unique references demo_raw.orders,
  billing_address_id integer references demo_raw.addresses,
  issued_on date not null,
  due_on date not null,
  net_amount numeric(12, 2) not null,
  vat_amount numeric(12, 2) not null,
  currency_code char(3) not null references demo_raw.currencies,
  paid boolean not null
);
comment on table demo_finance.invoices is 'One invoice for each order that was not cancelled.';
comment on column demo_finance.invoices.billing_address_id is 'Empty: the shipping address.';
comment on column demo_finance.invoices.net_amount is 'Without VAT, in the order''s currency.';
insert into demo_finance.invoices
select 'R' || to_char(o.placed_at, 'YYYY') || '-' || lpad(row_number() over (order by o.order_id)::text, 6, '0'), o.order_id, b.address_id, o.placed_at::date, o.placed_at::date + 14,
  n.net, o.grand_total - n.net, o.currency_code, o.status <> 'placed'
from demo_raw.orders o join demo_raw.customers c using (customer_id) join demo_finance.tax_rates t on t.country_code = upper(c.country_code)
  left join demo_raw.addresses b on b.customer_id = o.customer_id and b.kind = 'billing'
  cross join lateral (select round(o.grand_total / (1 + t.vat_percent / 100), 2) as net) n
where o.status not like 'cancel%';

create table demo_finance.payouts (
  payout_id integer primary key,
  paid_out_on date not null,
  method text not null,
  gross_amount numeric(12, 2) not null,
  fee_amount numeric(12, 2) not null,
  payment_count integer not null
);
comment on table demo_finance.payouts is 'What the payment provider sends us every Monday, in euros.';
comment on column demo_finance.payouts.fee_amount is 'Kept by the provider.';
insert into demo_finance.payouts
select row_number() over (order by w.monday, w.method), w.monday, w.method, round(w.gross, 2), round(w.gross * 0.019 + 0.25 * w.n, 2), w.n
from (
  select (date_trunc('week', p.captured_at) + interval '7 days')::date as monday, p.method, sum(p.amount / c.price_factor) as gross, count(*) as n
  from demo_raw.payments p join demo_raw.currencies c using (currency_code) where p.status = 'captured' group by 1, 2
) w
where w.monday <= demo_tools.today();

create table demo_finance.ledger_entries (
  entry_id bigint primary key,
  booked_on date not null,
  account_number text not null references demo_finance.accounts,
  amount numeric(14, 2) not null,
  description text not null,
  document text
);
comment on table demo_finance.ledger_entries is 'Bookings, one day and account at a time. A day''s entries add up to zero.';
comment on column demo_finance.ledger_entries.amount is 'Euros; positive is debit, negative credit.';
comment on column demo_finance.ledger_entries.document is 'Where the paper is. Empty for bookings made by the pipeline.';
insert into demo_finance.ledger_entries
select row_number() over (order by d.day, e.account), d.day, e.account, e.amount, e.what, case when e.account = '4730' then 'REF/' || to_char(d.day, 'YYYYMMDD') end
from (
  select o.placed_at::date as day, round(sum(o.grand_total / c.price_factor), 2) as sales, round(sum(o.grand_total / c.price_factor) * 0.16, 2) as vat
  from demo_raw.orders o join demo_raw.currencies c using (currency_code) where o.status not like 'cancel%' group by 1
) d
cross join lateral (values ('1400', d.sales, 'Card and wallet sales'), ('4000', -(d.sales - d.vat), 'Sales of the day'), ('1776', -d.vat, 'VAT on sales')) as e(account, amount, what);

create table demo_finance.budgets (
  month date not null,
  department text not null,
  planned_amount numeric(12, 2) not null,
  approved_by text,
  primary key (month, department)
);
comment on table demo_finance.budgets is 'What each department may spend in a month, in euros.';
comment on column demo_finance.budgets.approved_by is 'Empty: not approved yet.';
insert into demo_finance.budgets
select m::date, department, round(base * (1 + 0.02 * n), -2), case when m <= demo_tools.today() then 'R. Brandt' end
from generate_series(date_trunc('month', demo_tools.opened()), date_trunc('month', demo_tools.today()) + interval '3 months', interval '1 month') with ordinality as months(m, n)
  cross join (values ('marketing', 1300), ('warehouse', 1900), ('support', 1200), ('buying', 4200), ('data', 900)) as d(department, base);
