import { sql } from 'kysely'
import { createRuntime } from '../src/app/runtime.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect, type Db } from '../src/platform/db/connect.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { ingestEvents } from '../src/sources/openlineage/ingest-events.ts'
import { parseEvents } from '../src/sources/openlineage/parse-events.ts'
import { createDataset, createOpenLineageEvent, FACETS } from '../test/support/openlineage.ts'
import { measureCpu, measureDatabaseCpu } from './cpu.ts'
import { SIZE } from './environment.ts'
import { formatPercent, table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * OpenLineage events, sent one by one, by concurrent senders and in batches, compared with inserting the same events one by one into a bare table.
 * CPU time is that of this process and of Postgres: on a busy machine it says more than the rate.
 */
const RUNS = Math.max(500, Math.min(2_000, Math.round(SIZE / 500)))
const SENDERS = [20, 64]
const BATCH_SIZES = [200, 1000]
const JOB_COUNT = 20
const COLUMNS = 20
const DATABASE = 'bench_openlineage'

export const benchOpenLineage = (): Promise<string> => withTemporaryPostgres(compare, { max_wal_size: '8GB' })

const compare = async (serverUrl: string): Promise<string> => {
  const at = Object.assign(new URL(serverUrl), { pathname: `/${DATABASE}` }).href
  const admin = connect(serverUrl, { poolSize: 1, statementTimeoutMs: 0 })
  await sql.raw(`create database ${DATABASE}`).execute(admin.db)
  await admin.close()
  // A connection that is closed meanwhile takes its CPU time with it.
  const { db, close } = connect(at, { statementTimeoutMs: 0, idleTimeoutMs: 3_600_000 })
  await prepareDatabase(db)
  await migrateQueue(at)
  await sql`create table bare (id bigint generated always as identity primary key, event jsonb)`.execute(db)
  const ctx: Context = { db, runtime: createRuntime(at), workspace_id: newId(), actor: SYSTEM, now: new Date(), limits: {} }
  const bare = await measure('bare insert', createEvents(), (event) => insert(db, event))
  const ingest = (events: object) => ingestEvents({ ...ctx, now: new Date() }, parseEvents(events))
  const results = [bare, await measure('a start and an end of each run, one by one', createEvents(), ingest)]
  for (const senders of SENDERS) results.push(await measure(`the same, ${senders} senders`, createEvents(), ingest, senders))
  for (const size of BATCH_SIZES) {
    const events = toBatches(createEvents(), size)
    results.push(await measure(`the same, in batches of ${size.toLocaleString('en')}`, events, ingest))
    results.push(await measure('these batches again', events, ingest))
  }
  const rows = results.map(({ what, rate, cpuMs }) => [what, rate, cpuMs, formatPercent(rate, bare.rate)])
  await close()
  const what = `${(2 * RUNS).toLocaleString('en')} events of ${JOB_COUNT} jobs, ${COLUMNS} columns with lineage each`
  return table(`OpenLineage: ${what}`, ['', 'events/s', 'CPU ms per event', 'of the bare insert'], rows)
}

const toBatches = (events: readonly object[], size: number): object[][] =>
  Array.from({ length: Math.ceil(events.length / size) }, (_, i) => events.slice(i * size, (i + 1) * size))

const measure = async (
  what: string,
  requests: readonly object[],
  send: (request: object) => Promise<unknown>,
  concurrency = 1,
): Promise<{ what: string; rate: number; cpuMs: number }> => {
  const queue = [...requests]
  const cpu = () => measureCpu(process.pid) + measureDatabaseCpu(DATABASE)
  const [start, cpuBefore] = [performance.now(), cpu()]
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let request = queue.shift(); request; request = queue.shift()) await send(request)
    }),
  )
  const count = requests.flat().length
  return { what, rate: (1000 * count) / (performance.now() - start), cpuMs: (1000 * (cpu() - cpuBefore)) / count }
}

const insert = (db: Db, event: object) => sql`insert into bare (event) values (${JSON.stringify(event)}::text::jsonb)`.execute(db)

const createEvents = (): object[] => {
  const fields = Array.from({ length: COLUMNS }, (_, i) => ({ name: `c${i}`, type: 'int' }))
  return Array.from({ length: RUNS }, (_, i) => {
    const [from, to] = [`raw${i % JOB_COUNT}`, `made${i % JOB_COUNT}`]
    const pairs = Object.fromEntries(
      fields.map(({ name }) => [name, { inputFields: [{ namespace: 's3://lake', name: from, field: name }] }]),
    )
    const output = createDataset('s3://lake', to, { ...FACETS.schema(fields), ...FACETS.columnLineage(pairs) })
    const counts = {
      runId: newId(),
      name: `job ${i % JOB_COUNT}`,
      inputs: [createDataset('s3://lake', from, FACETS.schema(fields))],
      outputs: [output],
    }
    const time = (second: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * (2 * i + second)).toISOString()
    return [
      createOpenLineageEvent({ ...counts, type: 'START', time: time(0) }),
      createOpenLineageEvent({
        ...counts,
        type: 'COMPLETE',
        time: time(1),
        outputs: [{ ...output, outputFacets: FACETS.outputStatistics(i) }],
      }),
    ]
  }).flat()
}

if (import.meta.main) console.log(await benchOpenLineage())
