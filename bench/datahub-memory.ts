import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { createRuntime } from '../src/app/runtime.ts'
import type { Context } from '../src/platform/context/context.ts'
import { inTransaction } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect } from '../src/platform/db/connect.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { saveChanges } from '../src/sources/datahub/aspect-rows.ts'
import { parseEvents } from '../src/sources/datahub/change.ts'
import { connectEntities, discoverEntities } from '../src/sources/datahub/sync.ts'
import { SIZE } from './environment.ts'
import { table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * Memory of the process that reads the events of a DataHub pipeline: the items of its first sync, and then what they refer to. Nothing is written to the
 * catalog, which is measured by `sync-memory.ts`.
 */
const DATASETS = Math.max(500, Math.min(50_000, Math.round(SIZE / 20)))
const FIELDS = 10
const BATCH = 500
const CATALOG = 'bench_datahub_memory'

export const benchDataHubMemory = (): Promise<string> => withTemporaryPostgres(measure, { max_wal_size: '8GB' })

const measure = async (serverUrl: string): Promise<string> => {
  const url = Object.assign(new URL(serverUrl), { pathname: `/${CATALOG}` }).href
  const admin = connect(serverUrl, { poolSize: 1, statementTimeoutMs: 0 })
  await sql.raw(`create database ${CATALOG}`).execute(admin.db)
  await admin.close()
  const catalog = connect(url, { statementTimeoutMs: 0 })
  await prepareDatabase(catalog.db)
  await migrateQueue(url)
  const rows: (string | number)[][] = []
  for (const datasets of [DATASETS / 10, DATASETS]) {
    const id = newId()
    const times = { created_at: new Date(), updated_at: new Date() }
    await catalog.db
      .insertInto('integrations')
      .values({ id, name: `DataHub ${datasets}`, type: 'datahub', ...times })
      .execute()
    await using runtime = createRuntime(url)
    const ctx: Context = { db: catalog.db, runtime, workspace_id: newId(), actor: SYSTEM, now: new Date(), limits: {} }
    for (let start = 0; start < datasets; start += BATCH)
      await inTransaction(ctx, (ctx) => saveChanges(ctx, id, parseEvents(createEvents(start, Math.min(BATCH, datasets - start))).changes))
    const child = fork(new URL(import.meta.url), ['read', url, id])
    const [row] = (await once(child, 'message')) as [number[]]
    await once(child, 'exit')
    console.error(datasets, row.join(' | ')) // minutes pass between them
    rows.push([`${datasets.toLocaleString('en')} datasets`, ...row])
  }
  await catalog.close()
  return table(
    `Memory of reading DataHub events: ${FIELDS} fields and column lineage for each dataset`,
    ['', 'seconds', 'CPU seconds', 'MB RSS at its peak', 'MB of live objects at their peak'],
    rows,
  )
}

/** Runs in the child process. */
const read = async (url: string, id: string): Promise<void> => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const [start, before] = [performance.now(), process.cpuUsage()]
  let [live, found] = [0, 0]
  const sample = () => {
    collect()
    live = Math.max(live, process.memoryUsage().heapUsed / 2 ** 20)
  }
  await using runtime = createRuntime(url)
  const ctx: Context = {
    ...{ db: runtime.databases.background.db, runtime, workspace_id: newId(), actor: SYSTEM, now: new Date(), limits: {} },
  }
  for await (const _ of discoverEntities(ctx, id)) if (found++ % 50_000 === 0) sample()
  // The first line of the log is written when everything is read.
  let logged = 0
  await connectEntities(ctx, id, async () => {
    if (logged++ === 0) sample()
  })
  const { user, system } = process.cpuUsage(before)
  process.send!([(performance.now() - start) / 1000, (user + system) / 1e6, process.resourceUsage().maxRSS / 1024, live])
  process.disconnect()
}

const createEvents = (start: number, count: number): object[] =>
  Array.from({ length: count }, (_, i) => {
    const urn = (n: number) => `urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.schema_${n % 100}.table_${n},PROD)`
    const [own, from] = [urn(start + i), urn(start + i - (i % 10))]
    const names = Array.from({ length: FIELDS }, (_, at) => `column_${at}`)
    const fields = names.map((fieldPath, at) => ({
      ...{
        fieldPath,
        nullable: at > 0,
        description: `What is known about ${fieldPath}.`,
        nativeDataType: 'VARCHAR(100)',
        recursive: false,
      },
      ...{ type: { type: { 'com.linkedin.schema.StringType': {} } }, isPartOfKey: at === 0 },
    }))
    const fineGrainedLineages = names.map((name) => ({
      ...{ upstreamType: 'FIELD_SET', upstreams: [`urn:li:schemaField:(${from},${name})`] },
      ...{ downstreamType: 'FIELD', downstreams: [`urn:li:schemaField:(${own},${name})`], confidenceScore: 1 },
    }))
    const aspects = {
      status: { removed: false },
      datasetProperties: { name: `table_${start + i}`, description: 'One of the tables.', customProperties: { owner: 'etl', rows: '10' } },
      schemaMetadata: { schemaName: 'x', platform: 'urn:li:dataPlatform:snowflake', version: 0, hash: '', platformSchema: {}, fields },
      subTypes: { typeNames: ['Table'] },
      ...(from === own ? {} : { upstreamLineage: { upstreams: [{ dataset: from, type: 'TRANSFORMED' }], fineGrainedLineages } }),
    }
    return Object.entries(aspects).map(([aspectName, json]) => ({ entityUrn: own, aspectName, aspect: { json } }))
  }).flat()

if (process.argv[2] === 'read') await read(process.argv[3]!, process.argv[4]!)
else if (import.meta.main) console.log(await benchDataHubMemory())
