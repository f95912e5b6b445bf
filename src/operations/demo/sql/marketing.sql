-- Marketing: campaigns, what they cost, mails and the answers to a survey.

create schema demo_marketing;
comment on schema demo_marketing is 'Campaigns, ad spend, mails and surveys, from the marketing tools.';

create table demo_marketing.campaigns (
  campaign_id integer primary key,
  slug text not null unique,
  name text not null,
  channel text not null,
  starts_on date not null,
  ends_on date not null,
  daily_budget numeric(8, 2) not null
);
comment on table demo_marketing.campaigns is 'One campaign for each channel and quarter.';
comment on column demo_marketing.campaigns.slug is 'What links carry in utm_campaign.';
comment on column demo_marketing.campaigns.daily_budget is 'Euros a day, on average.';
insert into demo_marketing.campaigns
select row_number() over (order by q, channel), channel || '-' || to_char(q, 'YYYY') || 'q' || extract(quarter from q),
  initcap(channel) || ', quarter ' || extract(quarter from q) || ' ' || to_char(q, 'YYYY'), channel, q::date, (q + interval '3 months' - interval '1 day')::date, budget
from generate_series(date_trunc('quarter', demo_tools.opened()), date_trunc('quarter', demo_tools.today()), interval '3 months') q
  cross join (values ('search', 9), ('social', 6), ('newsletter', 1.2), ('partner', 2.4)) as c(channel, budget);

create table demo_marketing.ad_spend (
  campaign_id integer not null references demo_marketing.campaigns,
  spend_date date not null,
  impressions integer not null,
  clicks integer not null,
  cost numeric(10, 2) not null,
  loaded_at timestamptz not null,
  primary key (campaign_id, spend_date)
);
comment on table demo_marketing.ad_spend is 'What each campaign cost on each day, as the platforms report it.';
comment on column demo_marketing.ad_spend.cost is 'Euros.';
comment on column demo_marketing.ad_spend.loaded_at is 'When the pipeline fetched it, usually the next morning.';
insert into demo_marketing.ad_spend
select c.campaign_id, d.day, round(s.cost * 90), round(s.cost * 1.9), round(s.cost::numeric, 2), d.day::timestamp at time zone 'UTC' + interval '26 hours'
from demo_marketing.campaigns c join demo_tools.days d on d.day between c.starts_on and c.ends_on
  -- Yesterday somebody typed one zero too many into the budget of the search campaign.
  cross join lateral (select c.daily_budget * d.busy * (0.7 + 0.25 * demo_tools.roll('cost ' || c.channel, d.n)) * case when c.channel = 'search' and d.day = demo_tools.today() - 1 then 9 else 1 end as cost) s
where d.day::timestamp at time zone 'UTC' + interval '26 hours' < demo_tools.now();

create table demo_marketing.audiences (
  audience_id integer primary key,
  name text not null,
  rule text not null,
  created_at timestamptz not null
);
comment on table demo_marketing.audiences is 'Groups of customers that get the same mails.';
comment on column demo_marketing.audiences.rule is 'The condition, as SQL on stg_customers.';
insert into demo_marketing.audiences
select n, name, rule, demo_tools.opened()::timestamp at time zone 'UTC' + n * interval '20 days'
from (values (1, 'Everyone who agreed', 'marketing_consent'), (2, 'German speakers', 'marketing_consent and country_code in (''DE'', ''AT'', ''CH'')'),
  (3, 'New this quarter', 'marketing_consent and signed_up_at > now() - interval ''90 days''')) as a(n, name, rule);

create table demo_marketing.audience_members (
  audience_id integer not null references demo_marketing.audiences,
  customer_id integer not null references demo_raw.customers,
  added_at timestamptz not null,
  primary key (audience_id, customer_id)
);
comment on table demo_marketing.audience_members is 'Who is in which audience.';
insert into demo_marketing.audience_members
select a.audience_id, c.customer_id, greatest(a.created_at, c.signed_up_at)
from demo_marketing.audiences a join demo_raw.customers c on c.marketing_consent and c.deleted_at is null
  and case a.audience_id when 1 then true when 2 then upper(c.country_code) in ('DE', 'AT', 'CH') else c.signed_up_at > demo_tools.now() - interval '90 days' end;

create table demo_marketing.email_sends (
  send_id bigint primary key,
  customer_id integer not null references demo_raw.customers,
  email text not null,
  template text not null,
  subject text not null,
  sent_at timestamptz not null,
  opened_at timestamptz,
  clicked_at timestamptz,
  bounced boolean not null
);
comment on table demo_marketing.email_sends is 'Mails of the last 120 days, one row for each reader.';
comment on column demo_marketing.email_sends.email is 'The address it went to, as it was then.';
comment on column demo_marketing.email_sends.opened_at is 'Empty for most: many mail programs do not tell.';
insert into demo_marketing.email_sends
select row_number() over (order by s.sent_at, s.customer_id), s.customer_id, lower(trim(s.email)), 'newsletter', s.subject, s.sent_at,
  case when s.chance < 0.31 and r.read_at < demo_tools.now() then r.read_at end,
  case when s.chance < 0.07 and r.read_at < demo_tools.now() - interval '1 minute' then r.read_at + interval '40 seconds' end,
  s.chance > 0.988
from (
  select c.customer_id, c.email, 'What is new in week ' || to_char(d.day, 'IW') as subject,
    d.day::timestamp at time zone 'UTC' + interval '7 hours' + interval '1 second' * (c.customer_id % 900) as sent_at,
    demo_tools.roll('mail ' || c.customer_id, d.n) as chance
  from demo_tools.days d join demo_raw.customers c on c.marketing_consent and c.deleted_at is null and c.signed_up_at < d.day
  -- On Thursdays, to every fifth reader in turn.
  where d.day > demo_tools.today() - 120 and extract(isodow from d.day) = 4 and c.customer_id % 5 = d.n % 5
) s
cross join lateral (select s.sent_at + interval '1 hour' * 20 * s.chance as read_at) r
where s.sent_at < demo_tools.now();

create table demo_marketing.survey_responses (
  response_id integer primary key,
  customer_id integer references demo_raw.customers,
  score smallint not null check (score between 0 and 10),
  comment text,
  answered_at timestamptz not null
);
comment on table demo_marketing.survey_responses is 'Answers to "Would you recommend us?", asked two weeks after an order.';
comment on column demo_marketing.survey_responses.score is '0 to 10. 9 and 10 are promoters, 0 to 6 detractors.';
insert into demo_marketing.survey_responses
select row_number() over (order by o.placed_at, o.order_id), case when o.order_id % 9 > 0 then o.customer_id end, (array[2, 5, 6, 7, 8, 8, 9, 9, 10, 10])[1 + floor(10 * demo_tools.roll('score', o.order_id))::int],
  case when o.order_id % 5 = 0 then demo_tools.pick(array['Fast and friendly.', 'Too much packaging.', 'Shipping costs are high.', 'Lovely things.'], demo_tools.roll('survey comment', o.order_id)) end,
  o.placed_at + interval '14 days' + interval '1 hour' * floor(40 * demo_tools.roll('answered survey', o.order_id))
from demo_raw.orders o
where o.status = 'delivered' and demo_tools.roll('survey', o.order_id) < 0.15 and o.placed_at < demo_tools.now() - interval '16 days';
