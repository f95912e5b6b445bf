import { sql } from 'kysely'
import { bootstrapWorkspace } from '../src/accounts/users/bootstrap.ts'
import { createRuntime } from '../src/app/runtime.ts'
import { createResources } from '../src/catalog/resources/create.ts'
import { editResource, editResources } from '../src/catalog/resources/edit.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect } from '../src/platform/db/connect.ts'
import { prepareDatabase, readMigrations } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { findDatabaseProcesses, measureThreadsCpu } from './cpu.ts'
import { TOKEN } from './environment.ts'
import { formatPercent, table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * What writes pay for the counts of columns by table and of resources by type, integration and others: the same writes in two databases in turns, one of them without these triggers. Both are small, where
 * everything else that a write does costs least.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40)
const WARM_UP = 4
const TABLES = 50
const COLUMNS = 16 // of a table
const EDITS = 40

export const benchColumnCounts = (): Promise<string> => withTemporaryPostgres(measureWrites)

const measureWrites = async (serverUrl: string): Promise<string> => {
  await using counting = await openCatalog(serverUrl, 'bench_counts')
  await using plain = await openCatalog(serverUrl, 'bench_without_counts')
  await removeCounts(plain.ctx())
  const spent = new Map<string, [number, number][]>()
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const results = new Map<Catalog, ReadonlyMap<string, number>>()
    for (const catalog of round % 2 ? [counting, plain] : [plain, counting]) results.set(catalog, await measureRound(catalog, round))
    if (round < 0) continue
    for (const [what, without] of results.get(plain)!)
      spent.set(what, [...(spent.get(what) ?? []), [results.get(counting)!.get(what)!, without]])
  }
  return table(
    `Writes with and without counts of columns and resources: CPU of Node and Postgres, medians of ${ROUNDS} turns`,
    ['', 'µs each, with', 'without', 'more, median of the turns'],
    [...spent].map(([what, turns]) => [
      what,
      median(turns.map(([counting]) => counting)),
      median(turns.map(([, plain]) => plain)),
      formatPercent(median(turns.map(([counting, plain]) => counting / plain - 1)), 1),
    ]),
  )
}

/** The triggers of the version before. */
const removeCounts = async ({ db }: Context): Promise<void> => {
  const before = (await readMigrations()).find(({ name }) => name === '0120_cheaper_edits.sql')!
  await sql.raw(before.text).execute(db)
  for (const name of ['count_columns_insert', 'count_columns_delete', 'count_resources_insert', 'count_resources_delete'])
    await sql.raw(`drop trigger ${name} on resources`).execute(db)
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

interface Catalog {
  readonly name: string
  ctx(): Context
}

const openCatalog = async (serverUrl: string, name: string): Promise<Catalog & AsyncDisposable> => {
  const admin = connect(serverUrl, { poolSize: 1 })
  await sql.raw(`create database ${name}`).execute(admin.db)
  await admin.close()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const database = connect(url.href, { poolSize: 2 })
  await prepareDatabase(database.db)
  await migrateQueue(url.href)
  const { workspace_id } = await bootstrapWorkspace(database.db, TOKEN, new Date())
  const runtime = createRuntime(url.href)
  return {
    name,
    ctx: () => ({ db: database.db, runtime, workspace_id, actor: SYSTEM, now: new Date(), limits: {} }),
    [Symbol.asyncDispose]: async () => {
      await runtime[Symbol.asyncDispose]()
      await database.close()
    },
  }
}

/** Microseconds of each write. */
const measureRound = async ({ name, ctx }: Catalog, round: number): Promise<ReadonlyMap<string, number>> => {
  const readCpu = () => [process.pid, ...findDatabaseProcesses(name)].reduce<number>((sum, pid) => sum + measureThreadsCpu(pid), 0)
  const measured = new Map<string, number>()
  const measure = async (what: string, writes: number, write: () => Promise<unknown>) => {
    const before = readCpu()
    await write()
    measured.set(what, ((readCpu() - before) * 1e6) / writes)
  }
  const tables = Array.from({ length: TABLES }, (_, i) => ({ id: newId(), entity_type: 'table' as const, title: `table ${round} ${i}` }))
  await createResources(ctx(), tables)
  const columns = tables.flatMap(({ id: parent }, i) =>
    Array.from({ length: COLUMNS }, (_, k) => ({ id: newId(), entity_type: 'column' as const, title: `column ${i % 20} ${k}`, parent })),
  )
  const ids = columns.map(({ id }) => id)
  await measure(`a column of ${columns.length} that are created together`, columns.length, () => createResources(ctx(), columns))
  const describe = async (description: string) => {
    for (const id of ids.slice(0, EDITS)) await editResource(ctx(), id, { description })
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
  await measure('a table that is created alone', EDITS, async () => {
    for (let i = 0; i < EDITS; i += 1) await createResources(ctx(), [{ id: newId(), entity_type: 'table', title: `single ${round} ${i}` }])
  })
  return measured
}

if (import.meta.main) console.log(await benchColumnCounts())
