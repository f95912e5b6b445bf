import { sql } from 'kysely'
import { getResource } from '../../catalog/listing/read.ts'
import type { Context } from '../../platform/context/context.ts'
import { desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage, type Page, readPage } from '../../platform/lists/read-page.ts'
import { seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import { COLUMN_CHANGE_KINDS, type ColumnChange } from './column-changes.ts'
import type { SchemaHistoryEntry } from './schema.ts'
import { findBreaks } from './schema-change-breaks.ts'

/** How the columns of a table changed in its source, newest first. Columns the caller may not see are left out, and so are entries without any other. */
export const listSchemaHistory = async (ctx: Context, table_id: string, page: PageRequest): Promise<Page<SchemaHistoryEntry>> => {
  await getResource(ctx, table_id, 'table')
  // A column that no longer exists has no visibility that could be checked.
  const visible = seesEverything(ctx.actor)
    ? sql`true`
    : sql`exists (select from resources r where r.id = (c ->> 'column_id')::uuid and ${visibleTo(ctx.actor)})`
  const entries = await readPage<Omit<SchemaHistoryEntry, 'changes' | 'breaks'> & { changes: ColumnChange[] }>(ctx, page, {
    select: sql`s.id, s.at, s.sync_id, (select jsonb_agg(c) from jsonb_array_elements(s.changes) c where ${visible}) as changes`,
    from: sql`schema_changes s`,
    where: sql`s.table_id = ${table_id} and exists (select from jsonb_array_elements(s.changes) c where ${visible})`,
    order: [desc('timestamp', 's.at'), desc('id', 's.id')],
  })
  const breaks = await findBreaks(ctx, table_id, entries.results)
  return mapPage(entries, ({ changes, ...entry }) => ({
    ...entry,
    changes: changes.sort(byKind).map(({ kind, column, from, to }) => ({ kind, column, from, to })),
    breaks: [...(breaks.get(entry.id) ?? [])],
  }))
}

const byKind = (a: ColumnChange, b: ColumnChange): number =>
  COLUMN_CHANGE_KINDS.indexOf(a.kind) - COLUMN_CHANGE_KINDS.indexOf(b.kind) || (a.column < b.column ? -1 : 1)
