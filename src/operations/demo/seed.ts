import { sql } from 'kysely'
import { refreshDeprecationPaths } from '../../observability/health/deprecation-paths.ts'
import { refreshIncidentPaths } from '../../observability/incidents/incident-paths.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { seedComments } from './comments.ts'
import { seedCostsImport } from './costs-import.ts'
import { dropDemoDatabase, openDemo } from './database.ts'
import { collectionEntries, documentEntries, eventEntries, glossaryEntries, questionEntries } from './document-entries.ts'
import { createEdits } from './edits.ts'
import { createEntries, entryId } from './entries.ts'
import { seedFlows } from './flows.ts'
import { seedHistory } from './history.ts'
import { INTEGRATIONS } from './id.ts'
import { seedInsights } from './insights.ts'
import { seedMonitors } from './monitors.ts'
import { saveDemoOrigins } from './origins.ts'
import { seedPeople } from './people.ts'
import { seedProfiles } from './profiles.ts'
import { renameDemoDatabase } from './rename-database.ts'
import { droppedColumnEntry, seedSchemaChanges } from './schema-changes.ts'
import { tableEntries } from './tables.ts'
import { seedTags } from './tags.ts'
import { dashboardEntries, jobEntries, queryEntries } from './tools.ts'
import { findAdmin, joiningEdits, seedTasksOfAdmin } from './waiting-for-admin.ts'
import { buildWarehouse, isBuilt, readModels, readWarehouse } from './warehouse.ts'

export interface DemoSeeded {
  /** False when the demo already existed: then nothing was written. */
  readonly created: boolean
  readonly tables: number
  readonly rows: number
  readonly resources: number
}

const LOCK = 7_264_503 // serializes instances that start at the same time with --demo

/**
 * Seeds the demo shop: real tables in a separate database on our server, with rows up to `ctx.now`, and a fully documented catalog of them. The
 * same `ctx.now` creates the same shop. The catalog is written all or nothing, and seeding again changes nothing.
 */
export const seedDemo = (ctx: Context, log: (line: string) => void = () => {}): Promise<DemoSeeded> =>
  inTransaction(ctx, async (ctx) => {
    await waitForOthers(ctx)
    const seeded = await findSeeded(ctx)
    if (seeded) {
      await restoreDemoTables(ctx, new Date(seeded.created_at), log)
      return { created: false, tables: 0, rows: 0, resources: 0 }
    }
    if (await wasDeleted(ctx))
      throw conflict(
        'The demo was deleted from this catalog. Its history still exists, so the demo cannot be created again here. Use an empty catalog.',
      )
    log('Building the demo shop …')
    const models = await readModels()
    await using demo = await openDemoDatabase(ctx)
    await buildWarehouse(demo.db, ctx.now, models)
    const found = await readWarehouse(demo.db)
    const rows = found.tables.reduce((sum, table) => sum + (table.rows ?? 0), 0)
    log(`${found.tables.length} tables and views with ${rows} rows, in the database ${found.database}`)
    await seedIntegrations(ctx)
    await seedPeople(ctx)
    await seedTags(ctx)
    const dashboards = await dashboardEntries()
    const created = await createEntries(ctx, [
      ...tableEntries(found, models, ctx.now),
      droppedColumnEntry(),
      ...jobEntries(models),
      ...dashboards,
      ...(await queryEntries()),
      ...(await documentEntries()),
      ...(await glossaryEntries()),
      ...collectionEntries(),
      ...questionEntries(),
      ...eventEntries(),
    ])
    await saveDemoOrigins(ctx, found)
    const charts = dashboards.filter(({ entity_type }) => entity_type === 'chart')
    await seedFlows(ctx, found.database, models, charts)
    const runs = await seedHistory(ctx, models)
    const admin = await findAdmin(ctx)
    await createEdits(ctx, created, admin ? joiningEdits(admin) : [])
    await seedSchemaChanges(ctx)
    await seedComments(ctx)
    await seedProfiles(ctx, demo.db, found)
    await seedCostsImport(ctx)
    await seedMonitors(ctx)
    if (admin) await seedTasksOfAdmin(ctx, admin)
    await refreshIncidentPaths(ctx)
    await refreshDeprecationPaths(ctx)
    await seedInsights(ctx)
    const resources = created.size + runs.size
    log(`${resources} resources in the catalog`)
    return { created: true, tables: found.tables.length, rows, resources }
  })

/** Waits until another instance has built its shop. */
const waitForOthers = async ({ db }: Context): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(db)
}

const findSeeded = ({ db }: Context) =>
  db.selectFrom('integrations').select('created_at').where('id', '=', INTEGRATIONS.warehouse.id).executeTakeFirst()

/** Demo resources have the same IDs everywhere, and the history of deleted ones stays. */
const wasDeleted = async ({ db }: Context): Promise<boolean> =>
  (await db.selectFrom('activities').select('id').where('resource_id', '=', entryId('database', 'shop')).limit(1).executeTakeFirst()) !==
  undefined

const openDemoDatabase = async (ctx: Context) => {
  const demo = await openDemo(ctx)
  return { db: demo.db, [Symbol.asyncDispose]: () => demo.close() }
}

/** Builds the tables of an existing demo if they are missing, because the catalog was restored on another server: identical to the first ones. */
const restoreDemoTables = async (ctx: Context, seeded_at: Date, log: (line: string) => void): Promise<void> => {
  await using demo = await openDemoDatabase(ctx)
  if (!(await isBuilt(demo.db))) {
    log('Building the tables of the demo shop …')
    await buildWarehouse(demo.db, seeded_at, await readModels())
  }
  await renameDemoDatabase(ctx, (await readWarehouse(demo.db)).database)
}

/** Runs after its integration was deleted. */
export const dropDemo = (ctx: Context): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    await waitForOthers(ctx)
    return (await findSeeded(ctx)) ? false : dropDemoDatabase(ctx)
  })

/** Before the resources: otherwise their integrations would be registered as custom ones. */
const seedIntegrations = async ({ db, now }: Context): Promise<void> => {
  await db
    .insertInto('integrations')
    .values(Object.values(INTEGRATIONS).map((integration) => ({ ...integration, preview_enabled: true, created_at: now, updated_at: now })))
    .onConflict((c) => c.column('id').doNothing())
    .execute()
}
