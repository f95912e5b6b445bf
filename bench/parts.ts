import { toStableUuid } from './corpus.ts'
import { findDatabaseProcesses, measureThreadsCpu } from './cpu.ts'
import { openDistance } from './distance.ts'
import { NAME, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { createTargets, findTables, JOIN } from './lineage-endpoint.ts'
import { LIST_CASES } from './list.ts'
import { type LoadRequest, runLoad } from './load-generator.ts'
import type { Work } from './part-work.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { table } from './table.ts'
import { importWithout, type Replacement, withoutInProcess } from './without.ts'

/**
 * What parts written by hand gain: each part is replaced by what would be there without it, and both run in turns. CPU time decides, because others may use
 * the machine; below 10 % a part goes. `nothing` compares the same code: differences as small as its own are noise.
 *
 *   node bench/parts.ts planner     # only the parts whose name contains this
 *   BENCH_DISTANCE_MS=0.5 …         # the work of one caller, with Postgres that far away: the wall time shows what a round trip costs
 */
interface Part {
  readonly name: string
  readonly replace: readonly Replacement[]
  /** Work of one caller, both variants in this process. */
  readonly tasks?: readonly Task[]
  /** Requests of many callers, which depend on each other: two servers. */
  readonly loads?: readonly Load[]
}

interface Task {
  readonly what: string
  /** In a slice of time. */
  readonly calls: number
  readonly run: (work: Work, i: number) => Promise<unknown>
}

interface Load {
  readonly what: string
  readonly next: (i: number) => LoadRequest
}

const TABLES = Math.round((60_000 * SIZE) / 1_000_000)
const DASHBOARDS = Math.round((4_000 * SIZE) / 1_000_000)
const tableIds = (i: number, count: number): string[] =>
  Array.from({ length: count }, (_, k) => toStableUuid('table', (i * 7 + k * 11) % TABLES))
const dashboard = (i: number): string => toStableUuid('dashboard', (i * 7) % DASHBOARDS)
const users = (i: number): string[] => [toStableUuid('user', i)]

const READ_ONE: Task = { what: 'read a row', calls: 40, run: (work, i) => work.readRows(tableIds(i, 1)) }
const READ_FIVE: Task = { what: 'read five rows', calls: 30, run: (work, i) => work.readRows(tableIds(i, 5)) }
const CHECK_EIGHT: Task = { what: 'versions of eight rows', calls: 30, run: (work, i) => work.readVersions(tableIds(i, 8)) }
// A title concerns more than its row, so this edit has a transaction of its own.
const EDIT_TITLE: Task = { what: 'edit a title', calls: 10, run: (work, i) => work.editTitle(dashboard(i), `Dashboard ${i}`) }
const EDIT_MANY: Task = { what: 'edit owners of 100', calls: 2, run: (work, i) => work.editOwners(tableIds(i, 100), users(i)) }

const list = (what: string): Load => ({
  what: `${what}, 20 connections`,
  next: LIST_CASES.find((each) => each.what.startsWith(what))!.next,
})
const READ: Load = list('read by id')
const FIRST_PAGE: Load = list('first page')

const listParts = (replaceLineage: Task): Part[] => [
  { name: 'nothing', replace: [], tasks: [READ_ONE, EDIT_TITLE], loads: [READ] },
  {
    name: 'lookups wait three turns for more (batch-lookups.ts)',
    replace: [{ file: 'src/platform/db/batch-lookups.ts', code: 'const LOOP_TURNS = 3', by: 'const LOOP_TURNS = 0' }],
    loads: [READ, FIRST_PAGE],
  },
  {
    name: 'keys hidden from the planner (opaque-params.ts)',
    replace: [{ file: 'src/platform/db/opaque-params.ts', code: '(select ', by: '(' }],
    tasks: [READ_ONE, READ_FIVE, CHECK_EIGHT],
  },
  {
    name: 'begin with the first statement (first-query.ts)',
    replace: [
      { file: 'src/platform/db/driver.ts', code: ';(connection as Connection).begin(', by: 'await (connection as Connection).begin(' },
      { file: 'src/platform/db/driver.ts', code: 'begin(text: string): void {', by: 'async begin(text: string): Promise<void> {' },
      { file: 'src/platform/db/driver.ts', code: 'this.#begin = text\n', by: 'await this.#run(text, [])\n' },
    ],
    tasks: [EDIT_TITLE, replaceLineage],
  },
  {
    name: 'values that all rows share (rows-param.ts)',
    replace: [
      {
        file: 'src/platform/db/rows-param.ts',
        code: 'const { shared, own } = splitSharedValues(rows as readonly RowFields[], columns)',
        by: ROWS_AS_THEY_ARE,
      },
    ],
    tasks: [EDIT_MANY],
  },
]

const ROWS_AS_THEY_ARE = `
  const documents = rows.map((row) => (row[json] == null ? '' : JSON.stringify(row[json])))
  const all = sql\`json_to_recordset(\${JSON.stringify(json ? rows.map(({ [json]: _, ...own }) => own) : rows)}::text::json) as\`
  if (json === undefined) return sql\`(select * from \${all} s(\${typed})) \${sql.ref(alias)}\`
  return sql\`(
    select \${names}, nullif(e.\${sql.ref(json)}, '')::jsonb as \${sql.ref(json)}
    from rows from (\${all} (\${typed}), string_to_table(\${documents.join(SEPARATOR)}::text, \${sql.lit(SEPARATOR)})) as e(\${names}, \${sql.ref(json)})
  ) \${sql.ref(alias)}\`
  const { shared, own } = splitSharedValues(rows, columns)`

/** CPU and wall microseconds of one call or request. */
interface Cost {
  readonly node: number
  readonly postgres: number
  readonly wall: number
}
type Pair = readonly [withPart: Cost, withoutPart: Cost]

const postgresCpu = (processes: readonly string[]): number => processes.reduce((sum, pid) => sum + measureThreadsCpu(pid), 0)

/** Both variants in turns, each first in every second round. */
const takeTurns = async <T>(variants: readonly [T, T], rounds: number, measure: (variant: T) => Promise<Cost>): Promise<Pair[]> => {
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round++) {
    const first = round % 2
    const [a, b] = [await measure(variants[first]!), await measure(variants[1 - first]!)]
    pairs.push(first === 0 ? [a, b] : [b, a])
  }
  return pairs
}

const DISTANCE_MS = Number(process.env.BENCH_DISTANCE_MS ?? 0)
const SLICES = Number(process.env.BENCH_SLICES ?? 150)
const WARM_UP_SLICES = 48 // code is compiled, statements are prepared and their plans are kept
let calls = 0

const measureTask = async (works: readonly [Work, Work], { calls: each, run }: Task): Promise<Pair[]> => {
  for (let i = 0; i < WARM_UP_SLICES; i++) for (const work of works) for (let k = 0; k < each; k++) await run(work, calls++)
  const processes = findDatabaseProcesses(NAME)
  return takeTurns(works, SLICES, async (work) => {
    const [postgres, cpu, begin] = [postgresCpu(processes), process.cpuUsage(), performance.now()]
    for (let k = 0; k < each; k++) await run(work, calls++)
    const wall = (performance.now() - begin) * 1_000
    const { user, system } = process.cpuUsage(cpu)
    return { node: (user + system) / each, postgres: (1e6 * (postgresCpu(processes) - postgres)) / each, wall: wall / each }
  })
}

const PAIRS = 2 // of servers: two processes of the same code differ by some percent for as long as they live
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 24)
const ROUND_SECONDS = 0.5

const measureLoad = async (servers: readonly [BenchServer, BenchServer], { next }: Load): Promise<Pair[]> => {
  const load = ({ port }: BenchServer, seconds: number, next: Load['next']) =>
    runLoad({ port, token: TOKEN, seconds, warmUpSeconds: 0, next })
  await Promise.all(servers.map((server) => load(server, 5, next)))
  return takeTurns(servers, ROUNDS, async (server) => {
    const processes = findDatabaseProcesses(NAME)
    const [node, postgres] = [measureThreadsCpu(server.pid), postgresCpu(processes)]
    let requests = 0
    const { p50, failures } = await load(server, ROUND_SECONDS, () => {
      requests += 1
      return next(calls++)
    })
    if (failures > 0) throw new Error(`${failures} requests failed`)
    const perRequest = (seconds: number) => (1e6 * seconds) / requests
    return {
      node: perRequest(measureThreadsCpu(server.pid) - node),
      postgres: perRequest(postgresCpu(processes) - postgres),
      wall: p50 * 1_000,
    }
  })
}

export const benchParts = async (only: readonly string[] = ['']): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const { url, ctx } = environment
  await using targets = await createTargets(environment)
  const sources = await findTables(environment)
  const source = (i: number) => sources[i % sources.length]!.name
  const parts = listParts({
    what: 'replace the lineage of a table',
    calls: 5,
    run: (work, i) => {
      const k = (i % (2 * targets.all.length)) * 13
      return work.replaceLineage(JOIN.sql(targets.all[i % targets.all.length]!.name, [source(k), source(k + 7), source(k + 14)]))
    },
  })
  const rows: (string | number)[][] = []
  for (const { name, replace, tasks = [], loads = [] } of parts.filter((part) => only.some((each) => part.name.includes(each)))) {
    const add = (what: string, pairs: readonly Pair[]) => {
      rows.push(toRow(name, what, pairs))
      console.error(rows.at(-1)!.join(' | '))
    }
    if (tasks.length > 0) {
      await using distant = DISTANCE_MS > 0 ? await openDistance(url, DISTANCE_MS) : undefined
      await using with_ = await openWork(distant?.url ?? url, ctx.workspace_id, [])
      await using without = await openWork(distant?.url ?? url, ctx.workspace_id, replace)
      for (const task of tasks) add(task.what, await measureTask([with_, without], task))
    }
    const measured = new Map<Load, Pair[]>(loads.map((load) => [load, []]))
    for (let pair = 0; pair < PAIRS && loads.length > 0; pair++) {
      const env = { DATABASE_URL: url, TABLINUM_RATE_LIMIT: '0' }
      await using with_ = await startBenchServer('src/server.ts', env)
      await using without = await startBenchServer('src/server.ts', { ...env, ...withoutInProcess(replace) })
      for (const load of loads) measured.get(load)!.push(...(await measureLoad([with_, without], load)))
    }
    for (const [{ what }, pairs] of measured) add(what, pairs)
  }
  return table(
    `What parts written by hand gain, µs of CPU time per call or request at ${SIZE.toLocaleString('en')} resources`,
    ['part', 'work', 'Node, with it', 'without', 'Postgres, with it', 'without', 'gain in CPU time', 'gain in wall time'],
    rows,
  )
}

const openWork = async (url: string, workspace_id: string, replace: readonly Replacement[]): Promise<Work> =>
  (await importWithout<typeof import('./part-work.ts')>(new URL('part-work.ts', import.meta.url).href, replace)).openWork(url, workspace_id)

const quantile = (of: readonly number[], q: number): number => of.toSorted((a, b) => a - b)[Math.floor((of.length - 1) * q)]!
const median = (of: readonly number[]): number => quantile(of, 0.5)
const percent = (share: number): string => `${share <= -0.005 ? '−' : ''}${Math.abs(100 * share).toFixed(0)}`

const toRow = (name: string, what: string, pairs: readonly Pair[]): (string | number)[] => {
  const both = (of: (cost: Cost) => number) => [median(pairs.map(([a]) => of(a))), median(pairs.map(([, b]) => of(b)))]
  const gains = (of: (cost: Cost) => number) => pairs.map(([a, b]) => 1 - of(a) / of(b))
  const cpu = gains(({ node, postgres }) => node + postgres)
  const error = (1.25 * (quantile(cpu, 0.75) - quantile(cpu, 0.25))) / 1.35 / Math.sqrt(cpu.length) // of a median
  return [
    ...[name, what, ...both(({ node }) => node), ...both(({ postgres }) => postgres)],
    `${percent(median(cpu))} ± ${percent(2 * error)} %`,
    `${percent(median(gains(({ wall }) => wall)))} %`,
  ]
}

if (import.meta.main) {
  console.log(await benchParts(process.argv.length > 2 ? process.argv.slice(2) : undefined))
  process.exit(0) // the runtimes that were replaced keep threads
}
