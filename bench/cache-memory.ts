import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBenchEnvironment, TOKEN } from './environment.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'

const FILTER_BYTES = 100_000
const AT_ONCE = 10
const SETTLE_MS = 3_000

/** Server memory while a caller sends long, distinct filters: it must not grow with their number. */
export const benchCacheMemory = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  const { port, pid } = tablinum
  const list = async (i: number): Promise<void> => {
    const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'title', value: `${i} ${'x'.repeat(FILTER_BYTES)}` }))
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/resource/catalog?filter=${filter}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    if (!response.ok) throw new Error(`A list request failed with status ${response.status}.`)
    await response.arrayBuffer()
  }
  const rows: (string | number)[][] = []
  let sent = 0
  for (const filters of [100, 1_000, 2_500, 5_000, 10_000]) {
    for (; sent < filters; sent += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => list(sent + k)))
    await sleep(SETTLE_MS)
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    rows.push([filters.toLocaleString('en'), (filters * FILTER_BYTES) / 1024 ** 2, await residentMb(pid), heapMb(text), cachedMb(text)])
  }
  return table(
    'Memory under distinct filters of 100 KB (goal: flat)',
    ['filters', 'sent, MB', 'RSS of the server, MB', 'JavaScript heap in use, MB', 'in its caches, MB'],
    rows,
  )
}

const residentMb = async (pid: number): Promise<number> =>
  Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

const heapMb = (metrics: string): number => Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)![1]) / 1024 ** 2

const cachedMb = (metrics: string): number =>
  [...metrics.matchAll(/^tablinum_cache_bytes\{.*\} (\S+)$/gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 1024 ** 2

if (import.meta.main) console.log(await benchCacheMemory())
