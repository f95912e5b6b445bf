import { sql } from 'kysely'
import { refreshDeprecationPaths } from '../src/observability/health/deprecation-paths.ts'
import { storeChangedHealth } from '../src/observability/health/store-health.ts'
import { refreshIncidentPaths } from '../src/observability/incidents/incident-paths.ts'
import { hashToken, tokenHint } from '../src/platform/authentication/token-hash.ts'
import { newId } from '../src/platform/core/id.ts'
import { toStableUuid } from './corpus.ts'
import { measureCpu, measurePostgresCpu } from './cpu.ts'
import { type BenchEnvironment, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { createEdges } from './graph.ts'
import { runLoad } from './load-generator.ts'
import { median } from './page-cpu.ts'
import { startBenchServer } from './server.ts'
import { formatPercent, table } from './table.ts'

/** Lists with the health of each row, and filtered and sorted by it, compared with the same list without. */
export const VIEWER_TOKEN = 'tbl_benchmark_viewer_token'
const TABLES = Math.round((60_000 * SIZE) / 1_000_000)
const INCIDENTS = Math.max(1, Math.round(TABLES / 300))
const MONITORS = Math.round(TABLES / 6)
const DEPRECATED = Math.round(TABLES / 120)
const [TURNS, SECONDS, WARM_UP_SECONDS] = [7, 1, 0.5]

const catalog = (query: Record<string, string | number | object>): string =>
  `/api/v1/resource/catalog?${new URLSearchParams(
    Object.entries({ page_size: 50, ...query }).map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )}`
const filter = (value: string) => ({ filter: { operator: 'exact', field: 'health', value } })

const CHANGING = 'while health changes every second'

/** Another list each time, so that nothing of it is cached. */
const unread = (value: string) => (i: number) => {
  const conditions = [filter(value).filter, { operator: 'not', operands: [{ operator: 'exact', field: 'title', value: `none ${i}` }] }]
  return catalog({ include: 'health', filter: { operator: 'and', operands: conditions } })
}

/** What rows of monitors, incidents, notifications and pickers load beside their list: one request for all rows on screen. */
const BESIDE_ROWS = `/api/v1/ui/health?ids=${Array.from({ length: 50 }, (_, i) => toStableUuid('table', 6 * i + 5)).join()}`

const LIST = catalog({})
const SEARCH = '/api/v1/search?q=order&page_size=50&facets=false'

/** Each is compared with the list without health for the same caller, or with the last path. */
const CASES: readonly (readonly [string, string | ((i: number) => string), string, string?])[] = [
  ['list', LIST, TOKEN],
  ['list with health', catalog({ include: 'health' }), TOKEN],
  ['health of 50 rows, by ID', BESIDE_ROWS, TOKEN],
  ['only incidents', catalog({ include: 'health', ...filter('incident') }), TOKEN],
  ['only warnings', catalog({ include: 'health', ...filter('warning') }), TOKEN],
  ['only healthy', catalog({ include: 'health', ...filter('ok') }), TOKEN],
  ['only unknown', catalog({ include: 'health', ...filter('unknown') }), TOKEN],
  ['sorted by health', catalog({ include: 'health', sort: { field: 'health' } }), TOKEN],
  ['only warnings, each list for the first time', unread('warning'), TOKEN],
  [`only warnings, ${CHANGING}`, catalog({ include: 'health', ...filter('warning') }), TOKEN],
  [`only unknown, ${CHANGING}`, catalog({ include: 'health', ...filter('unknown') }), TOKEN],
  [`sorted by health, ${CHANGING}`, catalog({ include: 'health', sort: { field: 'health' } }), TOKEN],
  ['search, only warnings, compared with the search', `${SEARCH}&health=warning`, TOKEN, SEARCH],
  ['viewer: list', LIST, VIEWER_TOKEN],
  ['viewer: list with health', catalog({ include: 'health' }), VIEWER_TOKEN],
  ['viewer: health of 50 rows, by ID', BESIDE_ROWS, VIEWER_TOKEN],
  ['viewer: only warnings', catalog({ include: 'health', ...filter('warning') }), VIEWER_TOKEN],
  ['viewer: only unknown', catalog({ include: 'health', ...filter('unknown') }), VIEWER_TOKEN],
  ['viewer: sorted by health', catalog({ include: 'health', sort: { field: 'health' } }), VIEWER_TOKEN],
  [`viewer: only warnings, ${CHANGING}`, catalog({ include: 'health', ...filter('warning') }), VIEWER_TOKEN],
]

export const benchHealth = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  await createEdges(environment)
  await createViewer(environment)
  await createMonitors(environment)
  const incidents = await measureRefresh(environment, refreshIncidentPaths, 'incident_paths')
  const deprecations = await measureRefresh(environment, refreshDeprecationPaths, 'deprecation_paths')
  const stored = await measureStoring(environment)
  await sql`vacuum analyze monitors, monitor_incidents, incident_paths, deprecation_paths, resource_health, changed_health, resources`.execute(
    environment.ctx.db,
  )
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  let requests = 0
  const measure = async (what: string, path: string | ((i: number) => string), token: string) => {
    const readCpu = () => measureCpu(tablinum.pid) + measurePostgresCpu(environment.dataFolder)
    const [before, first] = [readCpu(), requests]
    const { failures, ...result } = await runLoad({
      ...{ port: tablinum.port, token, connections: 4, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS },
      next: () => {
        requests += 1
        return { path: typeof path === 'string' ? path : path(requests) }
      },
    })
    if (failures > 0) throw new Error(`${what}: ${failures} requests failed`)
    return { ...result, cpu: (1_000 * (readCpu() - before)) / (requests - first) }
  }
  const rows: (string | number)[][] = []
  for (const [what, path, token, plainPath = LIST] of CASES.filter(
    ([w]) => !process.env.BENCH_ONLY || new RegExp(process.env.BENCH_ONLY).test(w),
  )) {
    // In turns with the list, and the medians of the turns: a shared machine is not equally fast all the time.
    const turns: Record<'perSecond' | 'p50' | 'p95' | 'cpu' | 'ofPlain' | 'times', number>[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      const plain = await measure(what, plainPath, token)
      await using _ = what.endsWith(CHANGING) ? changeHealth(environment) : undefined
      const measured = await measure(what, path, token)
      turns.push({ ...measured, ofPlain: measured.perSecond / plain.perSecond, times: measured.cpu / plain.cpu })
    }
    const of = (name: keyof (typeof turns)[number]) => median(turns.map((each) => each[name]))
    console.error(
      `${what}: ${of('perSecond').toFixed(0)}/s, CPU ${of('cpu').toFixed(2)} ms, ${of('times').toFixed(2)} times the list without`,
    )
    rows.push([what, of('perSecond'), of('p50'), of('p95'), formatPercent(of('ofPlain'), 1), of('cpu'), of('times')])
  }
  return table(
    `Health at ${formatSize(SIZE)} resources: ${formatSize(MONITORS)} monitors, ${formatSize(INCIDENTS)} open incidents that affect ${incidents}, ${formatSize(DEPRECATED)} deprecated tables that affect ${deprecations}; ${stored}`,
    [
      `4 connections, 50 records, medians of ${TURNS} turns`,
      'req/s',
      'p50 ms',
      'p95 ms',
      'of the list without',
      'CPU ms/req',
      'CPU, times the list without',
    ],
    rows,
  )
}

const formatSize = (n: number): string => n.toLocaleString('en')

/** Computes the paths from nothing. */
const measureRefresh = async ({ ctx }: BenchEnvironment, refresh: typeof refreshIncidentPaths, paths: string): Promise<string> => {
  await sql`delete from ${sql.table(paths)}`.execute(ctx.db)
  const begin = performance.now()
  await refresh({ ...ctx, now: new Date() })
  const seconds = (performance.now() - begin) / 1000
  const { rows } = await sql<{ steps: number; affected: number }>`
    select count(*) as steps, count(distinct resource_id) as affected from ${sql.table(paths)}
  `.execute(ctx.db)
  const { steps, affected } = rows[0]!
  return `${formatSize(affected)} resources over ${formatSize(steps)} steps (found in ${seconds.toFixed(1)} s)`
}

/** Stores the health of everything that has one, as after an upgrade. */
const measureStoring = async ({ ctx }: BenchEnvironment): Promise<string> => {
  await sql`truncate resource_health`.execute(ctx.db)
  await sql`
    insert into changed_health select resource_id from incident_paths union select resource_id from deprecation_paths union select target from monitors
    union select id from resources where stale or deprecation is not null`.execute(ctx.db)
  const begin = performance.now()
  await storeChangedHealth({ ...ctx, now: new Date() })
  const seconds = (performance.now() - begin) / 1000
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from resource_health`.execute(ctx.db)
  return `health of ${formatSize(rows[0]!.n)} resources stored in ${seconds.toFixed(1)} s`
}

/** Five monitors are out of range, and in range again, every second. */
const changeHealth = ({ ctx: { db } }: BenchEnvironment): AsyncDisposable => {
  let running = Promise.resolve()
  const change = (status: string) => async () => {
    await sql`update monitors set status = ${status} where id in (select id from monitors where name = 'bench health' order by id limit 5)`.execute(
      db,
    )
  }
  let i = 0
  const timer = setInterval(() => {
    running = running.then(change(['incident', 'normal'][i++ % 2]!))
  }, 1_000)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await running
      await change('normal')()
    },
  }
}

export const createViewer = async ({ ctx: { db } }: BenchEnvironment): Promise<void> => {
  const now = new Date()
  const times = { created_at: now, updated_at: now }
  if (await db.selectFrom('tokens').select('id').where('hash', '=', hashToken(VIEWER_TOKEN)).executeTakeFirst()) return
  const id = newId()
  await db
    .insertInto('users')
    .values({ id, email: 'viewer@example.com', role: 'viewer', ...times })
    .execute()
  const token = { user_id: id, name: 'bench', hint: tokenHint(VIEWER_TOKEN), hash: hashToken(VIEWER_TOKEN), scope: 'read', ...times }
  await db
    .insertInto('tokens')
    .values({ id: newId(), ...token })
    .execute()
}

/** Measured monitors on every sixth table, an open incident on every three-hundredth, some stale and deprecated tables. Written once. */
export const createMonitors = async ({ ctx: { db } }: BenchEnvironment): Promise<void> => {
  if (await db.selectFrom('monitors').select('id').where('name', '=', 'bench health').limit(1).executeTakeFirst()) return
  const ids = (count: number, step: number) =>
    Array.from({ length: count }, (_, i) => toStableUuid('table', (i * step + step - 1) % TABLES))
  await sql`
    insert into monitors (id, created_at, updated_at, target, name, metric_type, metric_config, schedule, frequency, is_enabled, condition_manual_max, status, last_measured_at)
    select gen_random_uuid(), now(), now(), t.id, 'bench health', 'pushed', '{}', '{"cadence": "daily"}', 24, true, 10, 'normal', now()
    from unnest(${ids(MONITORS, 6)}::uuid[]) t (id)
  `.execute(db)
  await sql`
    insert into monitor_incidents (id, created_at, updated_at, monitor, target, name, summary, status, value, first_seen_at, last_seen_at)
    select gen_random_uuid(), now(), now(), m.id, m.target, m.name, 'bench', 'active', 20, now(), now()
    from monitors m where m.target = any(${ids(INCIDENTS, 300)}::uuid[]) and m.name = 'bench health'
  `.execute(db)
  await sql`update resources set stale = true, stale_at = now() where id = any(${ids(Math.round(TABLES / 60), 60)}::uuid[])`.execute(db)
  await sql`
    update resources set deprecation = jsonb_build_object('reason', 'Old.', 'replacement_id', null, 'since', '2026-01-01T00:00:00.000Z')
    where id = any(${ids(DEPRECATED, 120)}::uuid[])
  `.execute(db)
}

if (import.meta.main) console.log(await benchHealth())
