import { toStableUuid } from './corpus.ts'
import { openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { runLoad } from './load-generator.ts'
import { pgbench } from './pgbench.ts'
import { startBenchServer } from './server.ts'
import { formatPercent, table } from './table.ts'

/** Edits with full history, compared with a bare update of one column. */
const TABLES = Math.round((60_000 * SIZE) / 1_000_000)
const id = (i: number) => toStableUuid('table', i % TABLES)

export const benchWrite = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  const { port } = tablinum
  const path = '/api/v1/resource/all'
  const one = (data: (i: number) => object) =>
    runLoad({ port, token: TOKEN, next: (i) => ({ method: 'PATCH', path: `${path}/${id(i * 7)}`, body: JSON.stringify(data(i)) }) })
  const hundred = (data: (i: number) => object) =>
    runLoad({
      port,
      token: TOKEN,
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
  return table(
    `Writes with version and audit entry at ${SIZE.toLocaleString('en')} resources`,
    ['', 'requests/s', 'entities/s', 'p50 ms', 'p99 ms', 'bare one-column update, pgbench', 'of it'],
    [
      [
        'edit owners, 20 connections',
        editOwners.perSecond,
        editOwners.perSecond,
        editOwners.p50,
        editOwners.p99,
        bare,
        formatPercent(editOwners.perSecond, bare),
      ],
      [
        'edit the description, which is searched',
        editText.perSecond,
        editText.perSecond,
        editText.p50,
        editText.p99,
        bare,
        formatPercent(editText.perSecond, bare),
      ],
      [
        'bulk update of 100, owners, 4 connections',
        bulkOwners.perSecond,
        bulkOwners.perSecond * 100,
        bulkOwners.p50,
        bulkOwners.p99,
        bare,
        formatPercent(bulkOwners.perSecond * 100, bare),
      ],
      [
        'bulk update of 100, descriptions',
        bulkText.perSecond,
        bulkText.perSecond * 100,
        bulkText.p50,
        bulkText.p99,
        bare,
        formatPercent(bulkText.perSecond * 100, bare),
      ],
    ],
  )
}

if (import.meta.main) console.log(await benchWrite())
