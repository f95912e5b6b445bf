import { sql } from 'kysely'
import { bootstrapWorkspace } from '../src/accounts/users/bootstrap.ts'
import { createRuntime } from '../src/app/runtime.ts'
import { createResources } from '../src/catalog/resources/create.ts'
import { editResource, editResources } from '../src/catalog/resources/edit.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect } from '../src/platform/db/connect.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { findDatabaseProcesses, measureThreadsCpu } from './cpu.ts'
import { TOKEN } from './environment.ts'
import { formatPercent, table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * What writes pay for the counts of columns by table: the same writes with and without these triggers, in turns. The database is small, where everything
 * else that a write does costs least.
 */
const NAME = 'bench_column_counts'
const ROUNDS = 8
const WARM_UP = 2
const TABLES = 200
const COLUMNS = 16 // of a table
const EDITS = 400
const VARIANTS = ['enable', 'disable'] as const
type Variant = (typeof VARIANTS)[number]

export const benchColumnCounts = (): Promise<string> => withTemporaryPostgres(measureWrites)

const measureWrites = async (serverUrl: string): Promise<string> => {
  const admin = connect(serverUrl, { poolSize: 1 })
  await sql.raw(`create database ${NAME}`).execute(admin.db)
  await admin.close()
  const url = new URL(serverUrl)
  url.pathname = `/${NAME}`
  const database = connect(url.href)
  try {
    await prepareDatabase(database.db)
    await migrateQueue(url.href)
    const { workspace_id } = await bootstrapWorkspace(database.db, TOKEN, new Date())
    const runtime = createRuntime(url.href)
    const ctx = (): Context => ({ db: database.db, runtime, workspace_id, actor: SYSTEM, now: new Date(), limits: {} })
    const spent = new Map<string, Record<Variant, number[]>>()
    for (let round = -WARM_UP; round < ROUNDS; round += 1)
      for (const variant of round % 2 ? VARIANTS : VARIANTS.toReversed()) {
        await sql.raw(TRIGGERS.map((name) => `alter table resources ${variant} trigger ${name}`).join(';')).execute(database.db)
        for (const [what, seconds] of await measureRound(ctx, round)) {
          const both = spent.get(what) ?? { enable: [], disable: [] }
          if (round >= 0) both[variant].push(seconds)
          spent.set(what, both)
        }
      }
    await runtime[Symbol.asyncDispose]()
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
    return table(
      `Writes with and without counts of columns, CPU of Node and Postgres, medians of ${ROUNDS} turns`,
      ['', 'µs each, with', 'without', 'more'],
      [...spent].map(([what, { enable, disable }]) => [
        ...[what, median(enable), median(disable)],
        formatPercent(median(enable) - median(disable), median(disable)),
      ]),
    )
  } finally {
    await database.close()
  }
}

const TRIGGERS = ['count_columns_insert', 'count_columns_delete', 'count_columns_update']

/** Microseconds of each write. */
const measureRound = async (ctx: () => Context, round: number): Promise<[what: string, each: number][]> => {
  const readCpu = () => [process.pid, ...findDatabaseProcesses(NAME)].reduce<number>((sum, pid) => sum + measureThreadsCpu(pid), 0)
  const measured: [string, number][] = []
  const measure = async (what: string, writes: number, write: () => Promise<unknown>) => {
    const before = readCpu()
    await write()
    measured.push([what, ((readCpu() - before) * 1e6) / writes])
  }
  const tables = Array.from({ length: TABLES }, (_, i) => ({ id: newId(), entity_type: 'table' as const, title: `table ${round} ${i}` }))
  await createResources(ctx(), tables)
  const columns = tables.flatMap(({ id: parent }, i) =>
    Array.from({ length: COLUMNS }, (_, k) => ({ id: newId(), entity_type: 'column' as const, title: `column ${i % 20} ${k}`, parent })),
  )
  const ids = columns.map(({ id }) => id)
  await measure('a column of 3,200 that are created together', columns.length, () => createResources(ctx(), columns))
  const one = ids.slice(0, EDITS)
  const describe = async (text: string) => {
    for (const id of one) await editResource(ctx(), id, { description: text })
  }
  await measure('the first description of a column', EDITS, () => describe('What it is.'))
  await measure('another description', EDITS, () => describe('What it means.'))
  const others = ids.slice(EDITS)
  const describeMany = async (description: string) => {
    for (let i = 0; i < others.length; i += 100)
      await editResources(
        ctx(),
        others.slice(i, i + 100).map((id) => ({ id, data: { description } })),
      )
  }
  await measure('the first description of 100 columns together, each', others.length, () => describeMany('What it is.'))
  await measure('another description of 100 together, each', others.length, () => describeMany('What it means.'))
  const created = Array.from({ length: EDITS }, (_, i) => ({ id: newId(), entity_type: 'table' as const, title: `single ${round} ${i}` }))
  await measure('a table that is created alone', EDITS, async () => {
    for (const each of created) await createResources(ctx(), [each])
  })
  return measured
}

if (import.meta.main) console.log(await benchColumnCounts())
