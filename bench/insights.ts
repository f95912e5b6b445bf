import { recordDailyInsights } from '../src/observability/insights/snapshots.ts'
import { openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { createMonitors, createViewer, VIEWER_TOKEN } from './health.ts'
import { runLoad } from './load-generator.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'

/** The insights page: its three requests, one caller after the other, and the snapshot that housekeeping writes once a day. */
const CASES = [
  ['numbers', '/api/v1/insights', TOKEN],
  ['viewer: numbers', '/api/v1/insights', VIEWER_TOKEN],
  ['trends', '/api/v1/insights/trends', TOKEN],
  ['by owner', '/api/v1/insights/groups?by=owner', TOKEN],
  ['by integration', '/api/v1/insights/groups?by=integration', TOKEN],
] as const

export const benchInsights = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  await createViewer(environment)
  await createMonitors(environment)
  const begin = performance.now()
  await recordDailyInsights({ ...environment.ctx, now: new Date(Date.UTC(2000, 0, 1) + Math.floor(Math.random() * 1e4) * 86_400_000) })
  const seconds = (performance.now() - begin) / 1000
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  const rows: (string | number)[][] = []
  for (const [what, path, token] of CASES) {
    const { perSecond, p50, p95, failures } = await runLoad({
      ...{ port: tablinum.port, token, connections: 1, seconds: 6, warmUpSeconds: 2 },
      next: () => ({ path }),
    })
    if (failures > 0) throw new Error(`${what}: ${failures} requests failed`)
    rows.push([what, perSecond, p50, p95])
  }
  return table(
    `Insights at ${SIZE.toLocaleString('en')} resources; the daily snapshot took ${seconds.toFixed(1)} s`,
    ['1 connection', 'req/s', 'p50 ms', 'p95 ms'],
    rows,
  )
}

if (import.meta.main) console.log(await benchInsights())
