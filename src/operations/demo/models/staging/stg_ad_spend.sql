-- Ad spend with the campaign's name and channel.
select a.campaign_id, c.slug, c.name as campaign, c.channel, a.spend_date, a.impressions, a.clicks, a.cost
from demo_marketing.ad_spend a
join demo_marketing.campaigns c using (campaign_id)
