import { markStale } from '../../catalog/resources/stale.ts'
import type { Context } from '../../platform/context/context.ts'
import { contextAsSource } from '../../sources/sync/reconcile.ts'
import { recordColumnChanges, type TableColumnChange } from '../../sources/sync/schema-change-rows.ts'
import { announceSchemaChanges } from '../../sources/sync/schema-changes.ts'
import { type Entry, entryId } from './entries.ts'
import { INTEGRATIONS } from './id.ts'

/** What the shop's developers changed in its tables, as syncs would have found it. */
const DAY_MS = 86_400_000
const ORDERS = 'demo_raw.orders'

/** A column that the source no longer has: the catalog keeps it, with its description, and says so. */
const DROPPED = {
  entity_type: 'column',
  title: 'gift_message',
  native_type: 'text',
  description: 'Printed on the card of a gift.',
} as const
const DROPPED_ID = entryId('column', `${ORDERS}.${DROPPED.title}`)

/** Created with the other columns, and marked as missing by `seedSchemaChanges`. */
export const droppedColumnEntry = (): Entry => ({
  ...DROPPED,
  id: DROPPED_ID,
  parent: entryId('table', ORDERS),
  databuilder_id: `${ORDERS}.${DROPPED.title}`,
  own: { sort_order: 99, is_pk: false }, // after those of the source
})

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
      { kind: 'dropped', column: DROPPED.title, from: DROPPED.native_type, to: null },
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
    if (changes.some(({ kind }) => kind === 'dropped')) await markStale(then, [DROPPED_ID], true)
    await announceSchemaChanges(then, INTEGRATIONS.warehouse.id)
  }
}
