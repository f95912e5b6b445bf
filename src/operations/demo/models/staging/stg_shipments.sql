-- Parcels with the days they took. The few with impossible clocks are left out.
select
  s.shipment_id,
  s.order_id,
  s.warehouse_id,
  s.carrier_code,
  c.name as carrier,
  c.promised_days,
  s.shipped_at,
  s.delivered_at,
  round(extract(epoch from s.delivered_at - s.shipped_at) / 86400, 1)::numeric(6, 1) as days_on_the_road
from demo_ops.shipments s
join demo_ops.carriers c using (carrier_code)
where s.delivered_at is null or s.delivered_at >= s.shipped_at
