import { addManualEdges } from '../../lineage/edges/edges.ts'
import { saveChartLineage } from '../../lineage/queries/chart-lineage.ts'
import { parseAndSaveLineage } from '../../lineage/queries/from-query.ts'
import type { Context } from '../../platform/context/context.ts'
import { type Entry, entryId } from './entries.ts'
import { contextAsDemoIntegration } from './people.ts'
import type { Model } from './warehouse.ts'

const DAYS_AGO = 60

/** Lineage: models are parsed from their SQL as in a sync, and charts, down to the columns they show; their dashboards are added manually. */
export const seedFlows = async (ctx: Context, database: string, models: readonly Model[], entries: readonly Entry[]): Promise<void> => {
  const then = contextAsDemoIntegration(ctx, DAYS_AGO)
  const where = { dialect: 'postgres', default_database: database }
  for (const { schema, name, statement } of models)
    await parseAndSaveLineage(then, { ...where, sql: statement, table_id: entryId('table', `${schema}.${name}`) }, { replace: true })
  const outcomes = await saveChartLineage(
    then,
    entries.map(({ id, details }) => ({ id, query: { ...where, sql: (details as { sql: string }).sql } })),
  )
  for (const outcome of outcomes) if ('error' in outcome) throw outcome.error
  const dashboards = entries.flatMap(({ id, parent }) => (parent ? [{ from_id: id, to_id: parent }] : []))
  await addManualEdges(then, dashboards)
}
