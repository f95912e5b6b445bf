import { sql } from 'kysely'
import { createRuntime } from '../src/app/runtime.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect, type Db } from '../src/platform/db/connect.ts'
import { migrate, readMigrations } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { ingestEvents } from '../src/sources/openlineage/ingest-events.ts'
import { parseEvents } from '../src/sources/openlineage/parse-events.ts'
import { createDataset, createOpenLineageEvent, FACETS } from '../test/openlineage.ts'
import { openBenchEnvironment, SIZE } from './environment.ts'
import { formatPercent, table } from './table.ts'

/** OpenLineage events, each in its own transaction, compared with inserting the same events one by one into a bare table. */
const RUNS = Math.max(50, Math.min(2_000, Math.round(SIZE / 500)))
const JOB_COUNT = 20
const COLUMNS = 20
const DATABASE = 'bench_openlineage'

export const benchOpenLineage = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const at = Object.assign(new URL(environment.url), { pathname: `/${DATABASE}` }).href
  const admin = connect(environment.url, { poolSize: 1, statementTimeoutMs: 0 })
  await sql.raw(`drop database if exists ${DATABASE} with (force)`).execute(admin.db)
  await sql.raw(`create database ${DATABASE}`).execute(admin.db)
  const { db, close } = connect(at, { statementTimeoutMs: 0 })
  await migrate(db, await readMigrations())
  await sql`create table bare (id bigint generated always as identity primary key, event jsonb)`.execute(db)
  const ctx: Context = { db, runtime: createRuntime(at), workspace_id: newId(), actor: SYSTEM, now: new Date(), limits: {} }
  const bare = await perSecond(createEvents(), (event) => insert(db, event))
  const ingest = (event: object) => ingestEvents({ ...ctx, now: new Date() }, parseEvents(event))
  const rows: (string | number)[][] = [
    ['bare insert', bare, ''],
    ...(await measure('a start and an end of each run', createEvents(), ingest, bare)),
    ...(await measure('the same, four at once', createEvents(), ingest, bare, 4)),
  ]
  const again = createEvents()
  for (const event of again) await ingest(event)
  rows.push(...(await measure('events that were repeated', again, ingest, bare)))
  await close()
  await sql.raw(`drop database ${DATABASE} with (force)`).execute(admin.db)
  await admin.close()
  const what = `${(2 * RUNS).toLocaleString('en')} events of ${JOB_COUNT} jobs, ${COLUMNS} columns with lineage each`
  return table(`OpenLineage: ${what}`, ['', 'events/s', 'of the bare insert'], rows)
}

const measure = async (
  what: string,
  all: readonly object[],
  ingest: (event: object) => Promise<unknown>,
  bare: number,
  concurrency = 1,
) => {
  const rate = await perSecond(all, ingest, concurrency)
  return [[what, rate, formatPercent(rate, bare)]]
}

const perSecond = async (all: readonly object[], ingest: (event: object) => Promise<unknown>, concurrency = 1): Promise<number> => {
  const queue = [...all]
  const start = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let event = queue.shift(); event; event = queue.shift()) await ingest(event)
    }),
  )
  return (1000 * all.length) / (performance.now() - start)
}

const insert = (db: Db, event: object) => sql`insert into bare (event) values (${JSON.stringify(event)}::text::jsonb)`.execute(db)

const createEvents = (): object[] => {
  const fields = Array.from({ length: COLUMNS }, (_, i) => ({ name: `c${i}`, type: 'int' }))
  return Array.from({ length: RUNS }, (_, i) => {
    const [from, to] = [`raw${i % JOB_COUNT}`, `made${i % JOB_COUNT}`]
    const pairs = Object.fromEntries(
      fields.map(({ name }) => [name, { inputFields: [{ namespace: 's3://lake', name: from, field: name }] }]),
    )
    const counts = {
      runId: newId(),
      name: `job ${i % JOB_COUNT}`,
      inputs: [createDataset('s3://lake', from, FACETS.schema(fields))],
      outputs: [createDataset('s3://lake', to, { ...FACETS.schema(fields), ...FACETS.columnLineage(pairs) })],
    }
    const time = (second: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * (2 * i + second)).toISOString()
    return [
      createOpenLineageEvent({ ...counts, type: 'START', time: time(0) }),
      createOpenLineageEvent({ ...counts, type: 'COMPLETE', time: time(1) }),
    ]
  }).flat()
}

if (import.meta.main) console.log(await benchOpenLineage())
