-- Visits of the last eight months, ready for the funnel.
select session_id, session_date, customer_id, device, country_code, source, campaign_id, page_views, added_to_cart, ordered,
  page_views = 1 as bounced
from demo_staging.stg_web_sessions
