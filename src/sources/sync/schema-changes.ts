import { type BrokenResource, findBroken } from '../../lineage/what-if/breaks.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { type DomainEvent, recordEvents } from '../../platform/history/events.ts'
import { becameNullable, type ColumnChange } from './column-changes.ts'
import { findUnannounced, markAnnounced, type UnannouncedChange } from './schema-change-rows.ts'

/** Column changes of one table, as one event, so that owners and subscribers get one notification. */
export interface SchemaChange {
  readonly table_id: string
  /** Full title of the table. */
  readonly table: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly retyped: readonly { readonly name: string; readonly from: string | null; readonly to: string | null }[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  readonly reordered: readonly string[]
  readonly nullability: readonly { readonly name: string; readonly nullable: boolean }[]
  /** Total number of changed columns: the lists name the first 50 of each. */
  readonly columns: number
}

const MAX_LISTED_COLUMNS = 50
const MAX_REPORTED_TABLES = 100 // tables listed in the report of a sync
const BATCH_SIZE = 200

/**
 * Records an event for each table of the integration whose columns changed, with what breaks downstream. Called when the lineage is up to date:
 * a view that was changed together with its table does not break.
 */
export const announceSchemaChanges = async (ctx: Context, integration: string): Promise<SchemaChange[]> => {
  const announced: SchemaChange[] = []
  for (;;) {
    const found = await findUnannounced(ctx.db, integration, BATCH_SIZE)
    if (found.length === 0) return announced
    const events: DomainEvent[] = []
    // A table that is missing as a whole is reported as such, not by its columns.
    for (const each of found.filter(({ stale }) => !stale)) {
      const change = toSchemaChange(each)
      if (announced.length < MAX_REPORTED_TABLES) announced.push(change)
      events.push(toEvent(integration, each, change, await findBroken(ctx, each.table_id, findBreakingColumns(each.changes))))
    }
    await inTransaction(ctx, async (ctx) => {
      await recordEvents(ctx, events)
      await markAnnounced(
        ctx.db,
        found.map(({ id }) => id),
      )
    })
  }
}

const BREAKING_KINDS: readonly ColumnChange['kind'][] = ['dropped', 'retyped', 'renamed']
const findBreakingColumns = (changes: readonly ColumnChange[]): string[] => [
  ...new Set(changes.flatMap(({ kind, column_id }) => (BREAKING_KINDS.includes(kind) ? [column_id] : []))),
]

/** The lists name only columns that everyone who sees the table sees too. */
const toSchemaChange = ({ table_id, table, changes, visible }: UnannouncedChange): SchemaChange => {
  const named = changes.filter(({ column_id }) => visible.includes(column_id))
  const list = <T>(kind: ColumnChange['kind'], toItem: (change: ColumnChange) => T): T[] =>
    named
      .filter((change) => change.kind === kind)
      .sort((a, b) => (a.column < b.column ? -1 : 1))
      .slice(0, MAX_LISTED_COLUMNS)
      .map(toItem)
  return {
    table_id,
    table,
    added: list('added', ({ column }) => column),
    removed: list('dropped', ({ column }) => column),
    retyped: list('retyped', ({ column, from, to }) => ({ name: column, from, to })),
    renamed: list('renamed', ({ from, to }) => ({ from: from!, to: to! })),
    reordered: list('reordered', ({ column }) => column),
    nullability: list('nullability', (change) => ({ name: change.column, nullable: becameNullable(change) })),
    columns: new Set(changes.map(({ column_id }) => column_id)).size,
  }
}

const toEvent = (
  integration_id: string,
  { table_id, title, icon, id }: UnannouncedChange,
  { added, removed, retyped, renamed, reordered, nullability, columns }: SchemaChange,
  breaks: readonly BrokenResource[],
): DomainEvent => ({
  kind: 'schema_changed',
  resource: { id: table_id, type: 'table', title, icon, integration_id },
  payload: {
    schema_change: id,
    columns_added: added,
    columns_removed: removed,
    columns_retyped: retyped,
    columns_renamed: renamed,
    columns_reordered: reordered,
    columns_nullability: nullability,
    columns,
    breaks,
  },
})
