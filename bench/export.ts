import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { measureCpu, measureDatabaseCpu } from './cpu.ts'
import { type BenchEnvironment, NAME, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { startBenchServer } from './server.ts'
import { formatPercent, table } from './table.ts'

/** Exports the whole catalog, compared with Postgres copying the bare rows to a reader that discards them. */
export const benchExport = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const bare = await bareCopy(environment)
  const rows: (string | number)[][] = []
  for (const [what, query] of [
    ['CSV', 'format=csv'],
    ['JSONL', 'format=jsonl'],
    ['CSV, three columns', 'format=csv&fields=id,title,description'],
  ] as const) {
    await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
    const idle = measureMemory(tablinum.pid, 'VmRSS')
    const [node, pg] = [measureCpu(tablinum.pid), measureDatabaseCpu(NAME)]
    const { seconds, bytes } = await download(`http://127.0.0.1:${tablinum.port}/api/v1/resource/export?${query}`)
    const perSecond = SIZE / seconds
    rows.push([
      what,
      seconds,
      perSecond,
      bytes / 1e6,
      formatPercent(perSecond, bare),
      idle,
      measureMemory(tablinum.pid, 'VmHWM'),
      ((measureCpu(tablinum.pid) - node) * 1e6) / SIZE,
      ((measureDatabaseCpu(NAME) - pg) * 1e6) / SIZE,
    ])
  }
  return table(
    `Export of ${SIZE.toLocaleString('en')} resources (bare rows, copied: ${Math.round(bare).toLocaleString('en')} rows/s)`,
    ['', 'seconds', 'rows/s', 'MB', 'of bare', 'MB RSS, idle', 'MB RSS, most', 'Node µs/row', 'Postgres µs/row'],
    rows,
  )
}

const download = async (address: string): Promise<{ seconds: number; bytes: number }> => {
  const start = performance.now()
  const response = await fetch(address, { headers: { authorization: `Bearer ${TOKEN}` } })
  if (!response.ok || !response.body) throw new Error(`export: ${response.status}`)
  let bytes = 0
  for await (const chunk of response.body) bytes += chunk.length
  return { seconds: (performance.now() - start) / 1000, bytes }
}

const bareCopy = async (environment: BenchEnvironment): Promise<number> => {
  const start = performance.now()
  const rows = await environment.database.copyOut({ query: sql`select * from resources`, options: 'format csv', cancel: () => {} })
  for await (const _ of rows);
  return SIZE / ((performance.now() - start) / 1000)
}

/** Linux only. */
export const measureMemory = (pid: number, what: 'VmRSS' | 'VmHWM'): number => {
  try {
    return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

if (import.meta.main) console.log(await benchExport())
