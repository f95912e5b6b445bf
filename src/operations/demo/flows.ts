import { addManualEdges } from '../../lineage/edges/edges.ts'
import { parseAndSaveLineage, previewLineage } from '../../lineage/queries/from-query.ts'
import type { Context } from '../../platform/context/context.ts'
import { type Entry, entryId } from './entries.ts'
import { contextAsDemoIntegration } from './people.ts'
import type { Model } from './warehouse.ts'

const DAYS_AGO = 60

/** Lineage: models are parsed from their SQL as in a sync; edges to charts are added manually. */
export const seedFlows = async (ctx: Context, database: string, models: readonly Model[], entries: readonly Entry[]): Promise<void> => {
  const then = contextAsDemoIntegration(ctx, DAYS_AGO)
  const where = { dialect: 'postgres', default_database: database }
  for (const { schema, name, statement } of models)
    await parseAndSaveLineage(then, { ...where, sql: statement, table_id: entryId('table', `${schema}.${name}`) }, { replace: true })
  for (const { id, parent, details } of entries) {
    const { source_tables } = await previewLineage(then, { ...where, sql: (details as { sql: string }).sql })
    const read = source_tables.flatMap((table) => (table.id ? [{ from_id: table.id, to_id: id }] : []))
    await addManualEdges(then, parent ? [...read, { from_id: id, to_id: parent }] : read)
  }
}
