import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from './server.ts'
import { openStage, TOKEN } from './stage.ts'
import { table } from './table.ts'

const FILTER_BYTES = 100_000
const AT_ONCE = 10
const SETTLE_MS = 3_000

/** The server's memory while a caller sends long filters that are all different: it must not grow with their number. */
export const benchCacheMemory = async (): Promise<string> => {
  await using stage = await openStage()
  await using tablinum = await serve('src/server.ts', { DATABASE_URL: stage.url, TABLINUM_RATE_LIMIT: '0' })
  const { port, pid } = tablinum
  const list = async (i: number): Promise<void> => {
    const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'title', value: `${i} ${'x'.repeat(FILTER_BYTES)}` }))
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/resource/catalog?filter=${filter}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    if (!answer.ok) throw new Error(`A list was answered with ${answer.status}.`)
    await answer.arrayBuffer()
  }
  const measure = async (from: number, to: number): Promise<[rss: number, caches: number]> => {
    for (let i = from; i < to; i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => list(i + k)))
    await sleep(SETTLE_MS)
    return [await residentMb(pid), await cachedMb(port)]
  }
  const rows = [
    ['100', ...(await measure(0, 100))],
    ['1,000', ...(await measure(100, 1_000))],
    ['10,000', ...(await measure(1_000, 10_000))],
  ]
  return table('Memory under distinct filters of 100 KB', ['filters', 'RSS of the server, MB', 'in its caches, MB'], rows)
}

const residentMb = async (pid: number): Promise<number> =>
  Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

const cachedMb = async (port: number): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return [...text.matchAll(/^tablinum_cache_bytes\{.*\} (\S+)$/gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 1024 ** 2
}

if (import.meta.main) console.log(await benchCacheMemory())
