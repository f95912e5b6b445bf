import type { Context } from '../../platform/context/context.ts'
import { contextAsSource } from '../../sources/sync/reconcile.ts'
import { recordColumnChanges, type TableColumnChange } from '../../sources/sync/schema-change-rows.ts'
import { announceSchemaChanges } from '../../sources/sync/schema-changes.ts'
import { entryId } from './entries.ts'
import { INTEGRATIONS } from './id.ts'

/** What the shop's developers changed in its tables, as syncs would have found it. */
const DAY_MS = 86_400_000
const ORDERS = 'demo_raw.orders'

const CHANGES: readonly { readonly days_ago: number; readonly changes: readonly Omit<TableColumnChange, 'column_id' | 'table_id'>[] }[] = [
  {
    days_ago: 40,
    changes: [
      { kind: 'added', column: 'channel', from: null, to: 'text' },
      { kind: 'nullability', column: 'customer_id', from: 'nullable', to: 'not null' },
    ],
  },
  {
    days_ago: 4,
    changes: [
      { kind: 'retyped', column: 'shipping_total', from: 'integer', to: 'numeric(12,2)' },
      { kind: 'renamed', column: 'placed_at', from: 'created_at', to: 'placed_at' },
    ],
  },
]

export const seedSchemaChanges = async (ctx: Context): Promise<void> => {
  for (const { days_ago, changes } of CHANGES) {
    const then = contextAsSource({ ...ctx, now: new Date(ctx.now.getTime() - days_ago * DAY_MS) }, INTEGRATIONS.warehouse.id)
    await recordColumnChanges(
      then,
      null,
      changes.map((change) => ({
        ...change,
        table_id: entryId('table', ORDERS),
        column_id: entryId('column', `${ORDERS}.${change.column}`),
      })),
    )
    await announceSchemaChanges(then, INTEGRATIONS.warehouse.id)
  }
}
