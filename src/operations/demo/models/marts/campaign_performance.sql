-- Each campaign: what it cost, the visits it brought, and how many of them ordered.
with visits as (
  select campaign_id, count(*)::int as visits, count(*) filter (where added_to_cart)::int as carts, count(*) filter (where ordered)::int as orders
  from demo_marts.fct_sessions
  where campaign_id is not null
  group by campaign_id
)
select
  s.campaign_id,
  s.campaign,
  s.channel,
  min(s.spend_date) as first_day,
  max(s.spend_date) as last_day,
  sum(s.impressions)::int as impressions,
  sum(s.clicks)::int as clicks,
  sum(s.cost)::numeric(12, 2) as cost,
  coalesce(v.visits, 0) as visits,
  coalesce(v.carts, 0) as carts,
  coalesce(v.orders, 0) as orders,
  round(sum(s.cost) / nullif(v.orders, 0), 2)::numeric(12, 2) as cost_per_order
from demo_staging.stg_ad_spend s
left join visits v using (campaign_id)
group by s.campaign_id, s.campaign, s.channel, v.visits, v.carts, v.orders
