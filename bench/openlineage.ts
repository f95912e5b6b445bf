import { sql } from 'kysely'
import { SYSTEM } from '../src/access/permissions.ts'
import type { Context } from '../src/context.ts'
import { connect, type Db } from '../src/db/connect.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'
import { newId } from '../src/id.ts'
import { readEvents } from '../src/openlineage/read.ts'
import { takeEvents } from '../src/openlineage/take.ts'
import { createRuntime } from '../src/runtime.ts'
import { anEvent, dataset, FACETS } from '../test/openlineage.ts'
import { openStage, SIZE } from './stage.ts'
import { percent, table } from './table.ts'

/** OpenLineage events, each in its own transaction, compared with inserting the same events one by one into a bare table. */
const RUNS = Math.max(50, Math.min(2_000, Math.round(SIZE / 500)))
const JOBS = 20
const COLUMNS = 20
const DATABASE = 'bench_openlineage'

export const benchOpenLineage = async (): Promise<string> => {
  await using stage = await openStage()
  const at = Object.assign(new URL(stage.url), { pathname: `/${DATABASE}` }).href
  const admin = connect(stage.url, { poolSize: 1, statementTimeoutMs: 0 })
  await sql.raw(`drop database if exists ${DATABASE} with (force)`).execute(admin.db)
  await sql.raw(`create database ${DATABASE}`).execute(admin.db)
  const { db, close } = connect(at, { statementTimeoutMs: 0 })
  await migrate(db, await readMigrations())
  await sql`create table bare (id bigint generated always as identity primary key, event jsonb)`.execute(db)
  const ctx: Context = { db, runtime: createRuntime(at), workspace_id: newId(), actor: SYSTEM, now: new Date(), limits: {} }
  const bare = await perSecond(events(), (event) => insert(db, event))
  const take = (event: object) => takeEvents({ ...ctx, now: new Date() }, readEvents(event))
  const rows: (string | number)[][] = [
    ['bare insert', bare, ''],
    ...(await measure('a start and an end of each run', events(), take, bare)),
    ...(await measure('the same, four at once', events(), take, bare, 4)),
  ]
  const again = events()
  for (const event of again) await take(event)
  rows.push(...(await measure('events that were told before', again, take, bare)))
  await close()
  await sql.raw(`drop database ${DATABASE} with (force)`).execute(admin.db)
  await admin.close()
  const what = `${(2 * RUNS).toLocaleString('en')} events of ${JOBS} jobs, ${COLUMNS} columns with lineage each`
  return table(`OpenLineage: ${what}`, ['', 'events/s', 'of the bare insert'], rows)
}

const measure = async (what: string, all: readonly object[], take: (event: object) => Promise<unknown>, bare: number, lanes = 1) => {
  const rate = await perSecond(all, take, lanes)
  return [[what, rate, percent(rate, bare)]]
}

const perSecond = async (all: readonly object[], take: (event: object) => Promise<unknown>, lanes = 1): Promise<number> => {
  const queue = [...all]
  const start = performance.now()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let event = queue.shift(); event; event = queue.shift()) await take(event)
    }),
  )
  return (1000 * all.length) / (performance.now() - start)
}

const insert = (db: Db, event: object) => sql`insert into bare (event) values (${JSON.stringify(event)}::text::jsonb)`.execute(db)

const events = (): object[] => {
  const fields = Array.from({ length: COLUMNS }, (_, i) => ({ name: `c${i}`, type: 'int' }))
  return Array.from({ length: RUNS }, (_, i) => {
    const [from, to] = [`raw${i % JOBS}`, `made${i % JOBS}`]
    const pairs = Object.fromEntries(
      fields.map(({ name }) => [name, { inputFields: [{ namespace: 's3://lake', name: from, field: name }] }]),
    )
    const told = {
      runId: newId(),
      name: `job ${i % JOBS}`,
      inputs: [dataset('s3://lake', from, FACETS.schema(fields))],
      outputs: [dataset('s3://lake', to, { ...FACETS.schema(fields), ...FACETS.columnLineage(pairs) })],
    }
    const time = (second: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * (2 * i + second)).toISOString()
    return [anEvent({ ...told, type: 'START', time: time(0) }), anEvent({ ...told, type: 'COMPLETE', time: time(1) })]
  }).flat()
}

if (import.meta.main) console.log(await benchOpenLineage())
