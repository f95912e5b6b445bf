import { createCustomProperty } from '../../catalog/properties/define.ts'
import type { Context } from '../../platform/context/context.ts'
import { importFile } from '../transfer/import.ts'
import { readCsv } from '../transfer/read-csv.ts'
import { stageFile } from '../transfer/stage.ts'
import { INTEGRATIONS } from './id.ts'
import { contextAsPerson } from './people.ts'

/** A spreadsheet that Katsu imported some days ago: it can be undone. Its time is its own, so that its activities are found. */
const DAYS_AGO = 2.37
const FILE = `databuilder_id,terms,property:Cost center
demo_marts.fct_sessions,,4100 Marketing
demo_marts.campaign_performance,Revenue,4100 Marketing
demo_marts.revenue_by_country,Revenue,5200 Finance
demo_marts.cohort_retention,Active customer,5200 Finance
demo_marts.stock_health,,3300 Operations
demo_marts.delivery_performance,,3300 Operations
`

export const seedCostsImport = async (ctx: Context): Promise<void> => {
  const then = contextAsPerson(ctx, 'katsu', DAYS_AGO)
  await createCustomProperty(contextAsPerson(ctx, 'katsu', DAYS_AGO + 0.01), {
    name: 'Cost center',
    value_type: 'string',
    entity_types: ['table', 'dashboard'],
  })
  const staged = await stageFile(
    then,
    readCsv(
      (async function* () {
        yield FILE
      })(),
    ),
  )
  await importFile(then, {
    ...staged,
    file: { name: 'cost centers.csv', format: 'csv' },
    integration_id: INTEGRATIONS.warehouse.id,
    dry_run: false,
  })
}
