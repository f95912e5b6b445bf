-- Payments that brought money. Failed and voided attempts stay behind.
select payment_id, order_id, method, amount, currency_code, attempted_at, captured_at, captured_at - attempted_at as took
from demo_raw.payments
where status = 'captured'
