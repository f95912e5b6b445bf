import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { type LoadResult, runLoad } from './load-generator.ts'
import { pgbench } from './pgbench.ts'
import { startBenchServer } from './server.ts'
import { formatPercent, table } from './table.ts'

/** Reads one version of a document that was saved 300 times, compared with the newest version and a bare read of the text. */
const SAVES = 300
const BYTES = 50_000

export const benchVersions = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  const { port } = tablinum
  const id = await saveManyVersions(port)
  const path = `/api/v1/resource/all/${id}`
  const read = async (path: string) => {
    const load = await runLoad({ port, token: TOKEN, connections: 4, next: () => ({ path }) })
    if (load.failures > 0) throw new Error(`${load.failures} reads failed`)
    return load
  }
  const bare = await pgbench(environment.url, `select definition from resources where id = '${id}';`, { clients: 4 })
  const measured: [string, LoadResult][] = []
  for (const [name, address] of [
    ['the newest version', `${path}/versions/${SAVES}`],
    [`version ${SAVES - 1}`, `${path}/versions/${SAVES - 1}`],
    [`version ${SAVES / 2}`, `${path}/versions/${SAVES / 2}`],
    ['version 2', `${path}/versions/2`],
    [`compare 2 and ${SAVES - 1}`, `${path}/versions/compare?from=2&to=${SAVES - 1}`],
    ['the record of today', path],
  ] as const)
    measured.push([name, await read(address)])
  const newest = measured[0]![1].p50
  const { rows: stored } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_column_size(a.changes) + coalesce(pg_column_size(a.snapshot), 0)), 0)
      + (select coalesce(sum(octet_length(t.text)), 0) from history_texts t where t.resource_id = ${id}) as bytes
    from activities a where a.resource_id = ${id}
  `.execute(environment.database.db)
  const times = (stored[0]!.bytes / (SAVES * BYTES)).toFixed(2)
  return table(
    `One of ${SAVES} versions of a ${BYTES / 1000} KB document at ${SIZE.toLocaleString('en')} resources; history stores ${times} times the texts`,
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'p50 of the newest', 'bare read of the text, pgbench'],
    measured.map(([name, { perSecond, p50, p99 }]) => [name, perSecond, p50, p99, formatPercent(p50, newest), bare]),
  )
}

/** A document saved many times, each time with another text. */
const saveManyVersions = async (port: number): Promise<string> => {
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as { id: string }
  }
  const text = () => randomBytes(BYTES / 2).toString('hex')
  const { id } = await send('POST', '/resource/catalog', { title: 'handbook', entity_type: 'document', definition: text() })
  for (let i = 1; i < SAVES; i += 1) await send('PATCH', `/resource/all/${id}`, { definition: text() })
  return id
}

if (import.meta.main) console.log(await benchVersions())
