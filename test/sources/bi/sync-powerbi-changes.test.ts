import { expect, test } from 'vitest'
import { type Cassette, type Fault, startReplay } from '../../../connector/src/replay.ts'
import { powerbi } from '../../../src/sources/connectors/powerbi/powerbi.ts'
import { POWERBI_SETTINGS } from '../../../src/sources/connectors/powerbi/powerbi-settings.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverNext, type NextRun } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

/** Answers written after the documentation of the scanner API. */
const WORKSPACES = '/v1.0/myorg/admin/workspaces'
const EVENTS = '/v1.0/myorg/admin/activityevents'
const SCAN = '4674efd1-603c-4129-8d82-03cf2be05aff'
const toId = (name: string): string => `4674EFD1-603C-4129-8D82-0000000000${Buffer.from(name).toString('hex').slice(0, 2).toUpperCase()}`
const keyOf = (name: string): string => `workspace/${toId(name).toLowerCase()}`

interface Parts {
  /** Names of tables, by data set. */
  readonly datasets?: Readonly<Record<string, readonly string[]>>
  /** The data set of each report. */
  readonly reports?: Readonly<Record<string, string>>
  /** The report or data set of each tile. */
  readonly tiles?: Readonly<Record<string, object>>
}

const toWorkspace = (name: string, { datasets = {}, reports = {}, tiles = {} }: Parts) => ({
  ...{ id: toId(name), name, type: 'Workspace', state: 'Active' },
  datasets: Object.entries(datasets).map(([id, tables]) => ({
    ...{ id, name: id },
    tables: tables.map((table) => ({ name: table, columns: [{ name: 'id', dataType: 'Int64' }], source: [{ expression: 'dummy' }] })),
  })),
  reports: Object.entries(reports).map(([id, datasetId]) => ({ id, name: id, datasetId })),
  dashboards: Object.entries(tiles).map(([id, shown]) => ({ id, displayName: id, tiles: [{ id: `${id}-tile`, title: id, ...shown }] })),
})

/** Workspaces that can be changed. What changed is listed until the next scan of it. */
const startPowerBi = async (parts: Record<string, Parts>, faults: readonly Fault[] = []) => {
  const modified = new Set<string>()
  const scans: string[][] = []
  /** Workspaces that scans do not contain. */
  const hidden = new Set<string>()
  let requested: string[] = []
  /** Activity events by what they are of. */
  const views: { Activity: string; [field: string]: string }[] = []
  const list = (names: Iterable<string>) => [...names].map((name) => ({ id: toId(name) }))
  const cassette: Cassette = {
    checkAnswer: checkAgainst('powerbi'),
    auth: { header: 'authorization', value: 'Bearer token-1' },
    recordings: [
      {
        ...{ path: '/tenant-1/oauth2/v2.0/token', method: 'POST', open: true },
        body: { token_type: 'Bearer', expires_in: 3599, access_token: 'token-1' },
      },
      {
        path: `${WORKSPACES}/modified`,
        body: (_: unknown, { modifiedSince }: Record<string, string>) => list(modifiedSince === undefined ? Object.keys(parts) : modified),
      },
      {
        ...{ path: `${WORKSPACES}/getInfo`, method: 'POST', status: 202 },
        body: ({ workspaces }: { workspaces: string[] }) => {
          requested = workspaces
          scans.push(Object.keys(parts).filter((name) => workspaces.includes(toId(name))))
          return { id: SCAN, createdDateTime: '2026-11-17T08:00:00.000Z', status: 'NotStarted' }
        },
      },
      {
        path: EVENTS,
        body: (_: unknown, query: Record<string, string>) => {
          const [start, end] = [query.startDateTime, query.endDateTime].map((time) => time?.slice(1, -1) ?? '')
          if (query.continuationToken === undefined) {
            if (start!.slice(0, 10) !== end!.slice(0, 10)) throw new Error('A request must be about one day.')
            // The first page is empty.
            const continuationToken = `'${start}|${end}|${query.$filter}'`
            const continuationUri = `https://elsewhere.example.com${EVENTS}?continuationToken=${encodeURIComponent(continuationToken)}`
            return { activityEventEntities: [], continuationUri, continuationToken, lastResultSet: false }
          }
          const [from, to, filter] = query.continuationToken.slice(1, -1).split('|')
          const found = views.filter(
            ({ Activity, CreationTime }) => filter === `Activity eq '${Activity}'` && CreationTime! >= from! && CreationTime! <= to!,
          )
          return {
            activityEventEntities: [...found, ...found.slice(0, 1)],
            continuationUri: null,
            continuationToken: null,
            lastResultSet: true,
          }
        },
      },
      { path: `${WORKSPACES}/scanStatus/${SCAN}`, body: { id: SCAN, status: 'Succeeded' } },
      {
        path: `${WORKSPACES}/scanResult/${SCAN}`,
        body: () => ({
          workspaces: Object.entries(parts).flatMap(([name, each]) =>
            requested.includes(toId(name)) && !hidden.has(name) ? [toWorkspace(name, each)] : [],
          ),
        }),
      },
    ],
  }
  const replay = await startReplay(cassette, faults)
  return {
    replay,
    parts,
    views,
    hidden,
    change: (name: string, changed: Parts | undefined) => {
      modified.add(name)
      if (changed) parts[name] = changed
      else delete parts[name]
    },
    /** Which workspaces were scanned since, together in one scan. */
    takeScans: () => {
      modified.clear()
      return scans.splice(0)
    },
  }
}

const settingsFor = (url: string) => ({
  ...{ tenant: 'tenant-1', client_id: 'app-1', client_secret: 'secret', url, login_url: url },
  ...{ scope: String(POWERBI_SETTINGS.properties.scope!.default), personal_workspaces: false },
})

const createParts = (): Record<string, Parts> => ({
  a: { reports: { 'r-a': 'd-b' }, tiles: { 'b-a': { reportId: 'r-c' } } },
  b: { datasets: { 'd-b': ['orders'] } },
  c: { datasets: { 'd-c': ['cities'] }, reports: { 'r-c': 'd-c' } },
  d: { datasets: { 'd-d': ['old'] }, reports: { 'r-d': 'd-d' } },
  e: { datasets: { 'd-e': ['idle'] }, reports: { 'r-e': 'd-e' } },
})

test('only workspaces that changed are scanned, with those they show and those that show them', async () => {
  const world = await startPowerBi(createParts())
  await using replay = world.replay
  const settings = settingsFor(replay.url)
  const next = async (last?: NextRun) => {
    const countRequests = () => replay.requests.filter((each) => !each.includes(EVENTS)).length
    const before = countRequests()
    const run = await discoverNext(powerbi, settings, last)
    const [requests, scans] = [countRequests() - before, world.takeScans()]
    expect(run.catalog).toEqual((await discoverNext(powerbi, settings)).catalog)
    world.takeScans()
    expect(replay.problems).toEqual([])
    return { run, requests, scans }
  }
  const first = await next()
  expect([first.requests, first.scans]).toEqual([5, [['a', 'b', 'c', 'd', 'e']]])
  const second = await next(first.run)
  expect([second.requests, second.scans]).toEqual([3, []])
  expect(second.run.unchanged).toEqual(['a', 'b', 'c', 'd', 'e'].map(keyOf))
  const since = new URL(`http://x/${replay.requests.find((each) => each.includes('modifiedSince'))}`).searchParams.get('modifiedSince')!
  expect(Date.now() - Date.parse(since)).toBeGreaterThanOrEqual(60 * 60_000)

  // One changed, one is gone, one is new. A report shows a table of the changed one.
  world.change('b', { datasets: { 'd-b': ['orders', 'customers'] } })
  world.change('d', undefined)
  world.change('f', { datasets: { 'd-f': ['new'] } })
  const third = await next(second.run)
  // The tile of `a` shows a report of `c`, whose key is only in a scan of it.
  expect([third.requests, third.scans]).toEqual([6, [['a', 'b', 'c', 'f']]])
  expect(third.run.unchanged).toEqual([keyOf('e')])

  // What nothing else is connected with is scanned alone.
  world.change('e', { datasets: { 'd-e': ['idle'] }, reports: { 'r-e': 'd-e', 'r-new': 'd-e' } })
  const fourth = await next(third.run)
  expect(fourth.scans).toEqual([['e']])
  // Now it shows a table of a workspace with which nothing was connected before.
  world.change('e', { datasets: { 'd-e': ['idle'] }, reports: { 'r-e': 'd-f' } })
  const fifth = await next(fourth.run)
  expect(fifth.scans).toEqual([['e'], ['f']])
  // The data set it shows is gone, with its workspace.
  world.change('f', undefined)
  expect((await next(fifth.run)).scans).toEqual([['e']])
})

test('everything is scanned without the state of the last sync, after a month, and if its time is in the future or no date', async () => {
  const world = await startPowerBi(createParts())
  await using replay = world.replay
  const settings = settingsFor(replay.url)
  const first = await discoverNext(powerbi, settings)
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString()
  const times = [days(30), days(-0.02), days(-1), 'x'].map((since) => ({ ...(first.state as object), since }))
  for (const state of [undefined, null, {}, ...times]) {
    world.takeScans()
    const { unchanged } = await discoverNext(powerbi, settings, { ...first, state })
    expect([unchanged, world.takeScans().flat()]).toEqual([[], Object.keys(world.parts)])
  }
  await discoverNext(powerbi, settings, { ...first, state: { ...(first.state as object), since: days(6) } })
  expect(world.takeScans()).toEqual([])
})

test('everything is scanned if Power BI rejects the time of the last sync', async () => {
  const path = `${WORKSPACES}/modified`
  const world = await startPowerBi(createParts(), [{ path, status: 400, after: 2, times: 1 }])
  await using replay = world.replay
  const settings = settingsFor(replay.url)
  const first = await discoverNext(powerbi, settings)
  world.takeScans()
  const second = await discoverNext(powerbi, settings, first)
  expect([second.unchanged, world.takeScans().flat()]).toEqual([[], Object.keys(world.parts)])
  expect(second.catalog).toEqual(first.catalog)
  await discoverNext(powerbi, settings, second)
  expect(world.takeScans()).toEqual([])
})

test('a workspace that could not be read is scanned again, and a full sync changes nothing', async () => {
  const world = await startPowerBi(createParts())
  await using replay = world.replay
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const id = await createTestIntegration(app, 'powerbi', settingsFor(replay.url), { name: 'Power BI' })
  const sync = async () => {
    const { status, error, report } = await runSync(app, id)
    expect([status, error]).toEqual(['COMPLETED', null])
    return { report, scans: world.takeScans() }
  }
  expect((await sync()).scans.flat()).toHaveLength(5)
  world.takeScans()
  await expectNoChanges(app, id, { dashboard_group: 9, report: 4, dashboard: 1, chart: 1, table: 4 })
  expect(world.takeScans()).toEqual([])
  world.change('c', { datasets: { 'd-c': ['cities', 'towns'] }, reports: { 'r-c': 'd-c' } })
  world.change('d', undefined)
  world.change('f', { reports: { 'r-f': 'd-c' } })
  expect(await sync()).toMatchObject({
    scans: [['a', 'b', 'c', 'f']],
    report: { new: { dashboard_group: 1, table: 1, report: 1 }, stale: { dashboard_group: 2, report: 1, table: 1 } },
  })
  // What the scan did not contain is scanned again, although it did not change again.
  world.change('e', { datasets: { 'd-e': ['busy'] } })
  world.hidden.add('e')
  expect(await sync()).toMatchObject({ scans: [['e']], report: { new: {}, stale: {} } })
  expect((await sync()).scans).toEqual([['e']])
  world.hidden.clear()
  expect(await sync()).toMatchObject({ scans: [['e']], report: { new: { table: 1 }, stale: { report: 1, table: 1 } } })
  expect((await sync()).scans).toEqual([])
  const { report } = await runSync(app, id, { full: true })
  expect(report).toMatchObject({ new: {}, changed: {}, stale: {} })
  expect(world.takeScans().flat()).toEqual(Object.keys(world.parts))
})

test('views of reports and dashboards of the last day are their usage, also if their workspace did not change', async () => {
  const world = await startPowerBi(createParts(), [])
  await using replay = world.replay
  const settings = settingsFor(replay.url)
  const view = (Id: string, hoursAgo: number, workspace: string, more: object) => ({
    ...{
      Id,
      CreationTime: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
      WorkSpaceId: toId(workspace),
      UserId: 'Ada@example.com',
    },
    ...{ Activity: 'ViewReport', ...more },
  })
  world.views.push(
    view('1', 0.01, 'c', { ReportId: 'R-C' }),
    view('2', 23.9, 'c', { ReportId: 'r-c', UserId: 'bob@example.com' }),
    view('3', 23.9, 'c', { ReportId: 'r-c' }),
    view('4', 25, 'c', { ReportId: 'r-c' }),
    view('5', 1, 'a', { Activity: 'ViewDashboard', DashboardId: 'b-a', UserId: 'an application' }),
    view('6', 1, 'a', { ReportId: 'gone' }),
  )
  const usages = (run: NextRun) =>
    Object.fromEntries(
      run.found.flatMap((each) =>
        each.type === 'item' && each.usage ? [[each.title, [each.usage.count, ...(each.usage.users ?? [])]]] : [],
      ),
    )
  const first = await discoverNext(powerbi, settings)
  expect(usages(first)).toEqual({ 'r-a': [0], 'b-a': [1], 'r-c': [3, 'ada@example.com', 'bob@example.com'], 'r-d': [0], 'r-e': [0] })
  world.takeScans()
  // Nothing changed; then one more view.
  const second = await discoverNext(powerbi, settings, first)
  expect(world.takeScans()).toEqual([])
  world.views.push(view('7', 0.02, 'e', { ReportId: 'r-e' }))
  expect(usages(await discoverNext(powerbi, settings, second))).toMatchObject({ 'r-e': [1, 'ada@example.com'] })
  expect(world.takeScans()).toEqual([['e']])
  expect(replay.problems).toEqual([])
})

test('without the right to read the activity log, usage is not reported', async () => {
  const world = await startPowerBi(createParts(), [{ path: EVENTS, status: 403 }])
  await using replay = world.replay
  const run = await discoverNext(powerbi, settingsFor(replay.url))
  expect(run.found.some((each) => each.type === 'item' && each.usage)).toBe(false)
})
