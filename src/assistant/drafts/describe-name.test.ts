import { expect, test } from 'vitest'
import { describeColumnName, describeTableName } from './describe-name.ts'

test.each([
  ['customer_id', 'fct_orders', 'ID of the customer.'],
  ['createdAt', 'orders', 'When the order was created.'],
  ['SHIPPED_ON', 'order_lines', 'When it was shipped.'],
  ['approved_by', 'invoices', 'Who approved the invoice.'],
  ['is_active', 'customers', 'Whether the customer is active.'],
  ['has_open_incident', 'x', 'Whether it has an open incident.'],
  ['order_count', 'customers', 'Number of orders.'],
  ['num_of_categories', 'shops', 'Number of categories.'],
  ['shipping_fee_usd', 'orders', 'Shipping fee in US dollars.'],
  ['duration_ms', 'calls', 'Duration in milliseconds.'],
  // These say no more than the name.
  ['id', 'orders', undefined],
  ['status', 'orders', undefined],
  ['customer_name', 'orders', undefined],
  ['c_id', 'orders', undefined],
  ['col_17', 'orders', undefined],
  ['thing_at', 'orders', undefined],
  ['', 'orders', undefined],
])('the column %s of %s', (name, table, text) => {
  expect(describeColumnName(name, table)).toBe(text)
})

test.each([
  ['dim_customers', 'Dimension of customers.'],
  ['fct_revenue_daily', 'Revenue by day.'],
  ['price_history', 'History of price.'],
  ['orders', undefined],
  ['stg_x1', undefined],
  ['customer_orders', undefined],
])('the table %s', (name, text) => {
  expect(describeTableName(name)).toBe(text)
})
