import { idOf } from './corpus.ts'
import { drive } from './drive.ts'
import { pgbench } from './pgbench.ts'
import { serve } from './server.ts'
import { openStage, SIZE, TOKEN } from './stage.ts'
import { percent, table } from './table.ts'

/** Edits with their whole history, beside a bare update of one column. */
const TABLES = Math.round((60_000 * SIZE) / 1_000_000)
const id = (i: number) => idOf('table', i % TABLES)

export const benchWrite = async (): Promise<string> => {
  await using stage = await openStage()
  await using tablinum = await serve('src/server.ts', { DATABASE_URL: stage.url, TABLINUM_RATE_LIMIT: '0' })
  const { port } = tablinum
  const path = '/api/v1/resource/all'
  const edits = await drive({
    port,
    token: TOKEN,
    next: (i) => ({ method: 'PATCH', path: `${path}/${id(i * 7)}`, body: JSON.stringify({ description: `edited ${i} ${process.pid}` }) }),
  })
  const bulk = await drive({
    port,
    token: TOKEN,
    connections: 4,
    next: (i) => ({
      method: 'POST',
      path: `${path}/bulk_update/`,
      body: JSON.stringify(
        Array.from({ length: 100 }, (_, k) => ({
          id: id(i * 100 + k),
          data: { description: `bulk ${i} ${process.pid}`, verified: i % 2 === 0 },
        })),
      ),
    }),
  })
  for (const { failures } of [edits, bulk]) if (failures > 0) throw new Error(`${failures} writes failed`)
  const ids = `'{${Array.from({ length: 500 }, (_, i) => id(i * 11)).join(',')}}'::uuid[]`
  const bare = await pgbench(
    stage.url,
    `\\set i random(1, 500)\nupdate resources set description = 'bare ' || :i, updated_at = now() where id = (${ids})[:i];`,
  )
  return table(
    `Writes with version and audit entry at ${SIZE.toLocaleString('en')} resources`,
    ['', 'requests/s', 'entities/s', 'p50 ms', 'p99 ms', 'bare one-column update, pgbench', 'of it'],
    [
      ['edit one, 20 connections', edits.perSecond, edits.perSecond, edits.p50, edits.p99, bare, percent(edits.perSecond, bare)],
      [
        'bulk update of 100, 4 connections',
        bulk.perSecond,
        bulk.perSecond * 100,
        bulk.p50,
        bulk.p99,
        bare,
        percent(bulk.perSecond * 100, bare),
      ],
    ],
  )
}

if (import.meta.main) console.log(await benchWrite())
