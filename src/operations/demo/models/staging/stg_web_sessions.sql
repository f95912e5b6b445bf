-- Visits with their campaign and how far they got.
select
  s.session_id,
  s.customer_id,
  s.started_at,
  s.started_at::date as session_date,
  s.device,
  s.country_code,
  coalesce(s.utm_source, 'direct') as source,
  c.campaign_id,
  s.page_views,
  coalesce(e.added, false) as added_to_cart,
  coalesce(e.ordered, false) as ordered
from demo_raw.web_sessions s
left join demo_marketing.campaigns c on c.slug = s.utm_campaign
left join (
  select session_id, bool_or(event_name = 'cart_added') as added, bool_or(event_name = 'order_completed') as ordered
  from demo_raw.web_events
  group by session_id
) e on e.session_id = s.session_id
