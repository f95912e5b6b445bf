-- Visits to the shop. Nobody is tracked before they agree, so there are fewer visits than a web server's log would show.

create table demo_raw.web_sessions (
  session_id uuid primary key,
  customer_id integer references demo_raw.customers,
  started_at timestamptz not null,
  ended_at timestamptz,
  device text not null,
  browser text not null,
  country_code char(2),
  ip_address inet not null,
  landing_page text not null,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  page_views smallint not null
);
comment on table demo_raw.web_sessions is 'One visit: everything one browser did without a pause of half an hour.';
comment on column demo_raw.web_sessions.customer_id is 'Known when they logged in; empty for three visits in four.';
comment on column demo_raw.web_sessions.ended_at is 'Last sign of life. Empty while the visit lasts.';
comment on column demo_raw.web_sessions.ip_address is 'Shortened to the network after 30 days by law; here they are invented.';
comment on column demo_raw.web_sessions.utm_source is 'Who sent the visitor, from the link''s utm_source.';
comment on column demo_raw.web_sessions.utm_campaign is 'The campaign''s slug, as in demo_marketing.campaigns.';
insert into demo_raw.web_sessions
select left(encode(sha256(('session ' || s.draw)::bytea), 'hex'), 32)::uuid, case when demo_tools.roll('logged in', s.draw) < 0.25 then 1 + floor(demo_tools.roll('visitor', s.draw) * known.newest)::int end,
  s.started_at, case when s.started_at < demo_tools.now() - interval '30 minutes' then s.started_at + s.pages * interval '47 seconds' end,
  demo_tools.pick(array['phone', 'phone', 'phone', 'desktop', 'desktop', 'tablet'], demo_tools.roll('device', s.draw)),
  demo_tools.pick(array['chrome', 'chrome', 'safari', 'safari', 'firefox', 'edge'], demo_tools.roll('browser', s.draw)),
  case when demo_tools.roll('located', s.draw) < 0.97 then demo_tools.pick(array['DE', 'DE', 'DE', 'FR', 'AT', 'GB', 'NL', 'US'], demo_tools.roll('visit country', s.draw)) end,
  ('203.0.113.' || floor(254 * demo_tools.roll('address', s.draw)) + 1)::inet,
  demo_tools.pick(array['/', '/', '/sale', '/kitchen', '/garden', '/office'], demo_tools.roll('landing', s.draw)),
  -- Three days ago a release lost most of the link parameters.
  case when s.day > demo_tools.today() - 3 and demo_tools.roll('lost', s.draw) < 0.8 then null else s.source end,
  case s.source when 'search' then 'cpc' when 'social' then 'cpc' when 'newsletter' then 'email' when 'partner' then 'referral' end,
  case when s.source is not null then s.source || '-' || to_char(s.day, 'YYYY') || 'q' || extract(quarter from s.day) end,
  s.pages
from (
  select d.day, d.n * 1000 + k as draw, demo_tools.moment(d.day, 'visit', d.n * 1000 + k) as started_at,
    1 + floor(9 * power(demo_tools.roll('pages', d.n * 1000 + k), 2.5))::int as pages,
    case when demo_tools.roll('sent', d.n * 1000 + k) < 0.55 then demo_tools.pick(array['search', 'search', 'social', 'newsletter', 'partner'], demo_tools.roll('source', d.n * 1000 + k)) end as source
  from demo_tools.days d
    -- 41 days ago the collector was down for most of the day.
    cross join lateral generate_series(1, round(4 * d.busy * case when d.day = demo_tools.today() - 41 then 0.15 else 1 end)::int) k
  where d.day > demo_tools.today() - 210
) s
cross join lateral (select customer_id as newest from demo_raw.customers where signed_up_at < s.started_at order by signed_up_at desc limit 1) known
where s.started_at < demo_tools.now();
create index web_sessions_started_at on demo_raw.web_sessions (started_at);
analyze demo_raw.web_sessions;

create table demo_raw.web_events (
  event_id bigint primary key,
  session_id uuid not null references demo_raw.web_sessions,
  occurred_at timestamptz not null,
  event_name text not null,
  page_path text,
  product_id integer references demo_raw.products,
  properties jsonb not null
);
comment on table demo_raw.web_events is 'What happened in a visit, step by step. Kept for 90 days.';
comment on column demo_raw.web_events.event_name is 'page_viewed, product_viewed, cart_added, checkout_started or order_completed. The tracking plan describes them.';
comment on column demo_raw.web_events.properties is 'What the event carries, as the tracking plan says.';
insert into demo_raw.web_events
select row_number() over (order by s.started_at, s.session_id, step), s.session_id, s.started_at + step * interval '40 seconds', e.name,
  case when e.name in ('page_viewed', 'product_viewed') then case when e.name = 'product_viewed' then '/product/' || e.product else s.landing_page end end,
  case when e.name in ('product_viewed', 'cart_added') then e.product end,
  case e.name when 'cart_added' then jsonb_build_object('quantity', 1 + step % 2) when 'order_completed' then jsonb_build_object('coupon', s.page_views % 5 = 0) else '{}' end
from (select *, hashtextextended(session_id::text, 0) >> 20 as draw from demo_raw.web_sessions where started_at > demo_tools.today() - 90) s
  cross join lateral generate_series(1, least(s.page_views + 1, 6)) step
  cross join lateral (
    select 1 + floor(240 * power(demo_tools.roll('viewed', s.draw + step), 1.6))::int as product,
      case when step = 1 then 'page_viewed' when step = 4 then 'cart_added' when step = 5 and s.draw % 2 = 0 then 'checkout_started'
        when step = 6 and s.draw % 4 = 0 then 'order_completed' else 'product_viewed' end as name
  ) e
where s.started_at + step * interval '40 seconds' < demo_tools.now();
create index web_events_session on demo_raw.web_events (session_id);
create index web_events_occurred_at on demo_raw.web_events (occurred_at);
