import { toStableUuid } from './corpus.ts'
import { measureCpu, measureDatabaseCpu } from './cpu.ts'
import { NAME, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { type LoadOptions, type LoadResult, runLoad } from './load-generator.ts'
import { pgbench } from './pgbench.ts'
import { startBenchServer } from './server.ts'
import { formatPercent, table } from './table.ts'

/** Edits with full history, compared with a bare update of one column. */
const TABLES = Math.round((60_000 * SIZE) / 1_000_000)
const id = (i: number) => toStableUuid('table', i % TABLES)

export const benchWrite = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  const { port, pid } = tablinum
  const path = '/api/v1/resource/all'
  /** The load with the CPU microseconds of each entity. */
  const measure = async (entities: number, load: Pick<LoadOptions, 'next' | 'connections' | 'warmUpSeconds'>): Promise<Measured> => {
    let requests = 0
    const next = (i: number) => {
      requests += 1
      return load.next(i)
    }
    const [node, postgres] = [measureCpu(pid), measureDatabaseCpu(NAME)]
    const result = await runLoad({ port, token: TOKEN, ...load, next })
    const perEntity = (seconds: number) => Math.round((1_000_000 * seconds) / (requests * entities))
    return { ...result, entities, node: perEntity(measureCpu(pid) - node), postgres: perEntity(measureDatabaseCpu(NAME) - postgres) }
  }
  const one = (data: (i: number) => object) =>
    measure(1, { next: (i) => ({ method: 'PATCH', path: `${path}/${id(i * 7)}`, body: JSON.stringify(data(i)) }) })
  const hundred = (data: (i: number) => object) =>
    measure(100, {
      connections: 4,
      // Touches every table once: the first write to a page after a start reads it and writes the full page to the WAL.
      warmUpSeconds: 15,
      next: (i) => ({
        method: 'POST',
        path: `${path}/bulk_update/`,
        body: JSON.stringify(Array.from({ length: 100 }, (_, k) => ({ id: id(i * 100 + k), data: data(i) }))),
      }),
    })
  const owners = (i: number) => ({ owners: [toStableUuid('user', i), toStableUuid('user', process.pid)] })
  const text = (i: number) => ({ description: `edited ${i} ${process.pid}` })
  const [editOwners, editText, bulkOwners, bulkText] = [await one(owners), await one(text), await hundred(owners), await hundred(text)]
  for (const { failures } of [editOwners, editText, bulkOwners, bulkText]) if (failures > 0) throw new Error(`${failures} writes failed`)
  const ids = `'{${Array.from({ length: 500 }, (_, i) => id(i * 11)).join(',')}}'::uuid[]`
  const bare = await pgbench(
    environment.url,
    `\\set i random(1, 500)\nupdate resources set description = 'bare ' || :i, updated_at = now() where id = (${ids})[:i];`,
  )
  const line = (what: string, { perSecond, entities, p50, p99, node, postgres }: Measured) => [
    ...[what, perSecond, perSecond * entities, p50, p99, node, postgres, bare],
    formatPercent(perSecond * entities, bare),
  ]
  return table(
    `Writes with version and audit entry at ${SIZE.toLocaleString('en')} resources`,
    [
      ...['', 'requests/s', 'entities/s', 'p50 ms', 'p99 ms', 'Node µs/entity', 'Postgres µs/entity'],
      ...['bare one-column update, pgbench', 'of it'],
    ],
    [
      line('edit owners, 20 connections', editOwners),
      line('edit the description, which is searched', editText),
      line('bulk update of 100, owners, 4 connections', bulkOwners),
      line('bulk update of 100, descriptions', bulkText),
    ],
  )
}

interface Measured extends LoadResult {
  readonly entities: number
  readonly node: number
  readonly postgres: number
}

if (import.meta.main) console.log(await benchWrite())
