import { sql } from 'kysely'
import { type Context, inTransaction } from '../context.ts'
import { makeEdits } from './edits.ts'
import { createEntries } from './entries.ts'
import { addFlows } from './flows.ts'
import { INTEGRATIONS } from './id.ts'
import { addMonitors } from './monitors.ts'
import { addPeople } from './people.ts'
import { noteOrigins } from './reach.ts'
import { tableEntries } from './tables.ts'
import { addTags } from './tags.ts'
import { dashboardEntries, jobEntries, queryEntries } from './tools.ts'
import { buildWarehouse, readModels, readWarehouse } from './warehouse.ts'
import { collectionEntries, documentEntries, eventEntries, glossaryEntries, questionEntries } from './writing.ts'

export interface DemoSeeded {
  /** False when the demo was there already: then nothing was written. */
  readonly created: boolean
  readonly tables: number
  readonly rows: number
  readonly resources: number
}

const LOCK = 7_264_503 // instances that start together with --demo wait for each other

/**
 * A shop to look at: real tables in schemas `demo_*` of this database, with rows up to `ctx.now`, and everything a catalog
 * would say about them. The same `ctx.now` gives the same shop. All or nothing, and a second time changes nothing.
 */
export const seedDemo = (ctx: Context, log: (line: string) => void = () => {}): Promise<DemoSeeded> =>
  inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(ctx.db)
    if (await isSeeded(ctx)) return { created: false, tables: 0, rows: 0, resources: 0 }
    log('Building the demo shop …')
    const models = await readModels()
    await buildWarehouse(ctx.db, ctx.now, models)
    const found = await readWarehouse(ctx.db)
    const rows = found.tables.reduce((sum, table) => sum + (table.rows ?? 0), 0)
    log(`${found.tables.length} tables and views with ${rows} rows, in schemas demo_*`)
    await addIntegrations(ctx)
    await addPeople(ctx)
    await addTags(ctx)
    const dashboards = await dashboardEntries()
    const created = await createEntries(ctx, [
      ...tableEntries(found, models, ctx.now),
      ...jobEntries(models),
      ...dashboards,
      ...(await queryEntries()),
      ...(await documentEntries()),
      ...(await glossaryEntries()),
      ...collectionEntries(),
      ...questionEntries(),
      ...eventEntries(),
    ])
    await noteOrigins(ctx, found)
    const charts = dashboards.filter(({ entity_type }) => entity_type === 'chart')
    await addFlows(ctx, found.database, models, charts)
    await makeEdits(ctx, created)
    await addMonitors(ctx)
    log(`${created.size} resources in the catalog`)
    return { created: true, tables: found.tables.length, rows, resources: created.size }
  })

const isSeeded = async ({ db }: Context): Promise<boolean> =>
  (await db.selectFrom('integrations').select('id').where('id', '=', INTEGRATIONS.warehouse.id).executeTakeFirst()) !== undefined

/** Before the resources: an integration that is not known when its first resource comes would be registered as a custom one. */
const addIntegrations = async ({ db, now }: Context): Promise<void> => {
  await db
    .insertInto('integrations')
    .values(Object.values(INTEGRATIONS).map((integration) => ({ ...integration, created_at: now, updated_at: now })))
    .onConflict((c) => c.column('id').doNothing())
    .execute()
}
