import { type BenchTargets, createTargets, findTables, JOIN, PATH as LINEAGE } from './lineage-endpoint.ts'
import { measureDatabaseCpu, measureFamilyCpu } from './cpu.ts'
import { toStableUuid } from './corpus.ts'
import { NAME, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { LIST_CASES } from './list.ts'
import { type LoadRequest, runLoad } from './load-generator.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { table } from './table.ts'
import { type Replacement, without } from './without.ts'

/**
 * What parts written by hand gain: the server with and without each of them, in turns. A part that gains less than 10 % goes. CPU time decides, because
 * others may use the machine. The first line compares the server with itself: differences as small as there are noise.
 *
 *   node bench/parts.ts prepared     # only the parts whose name contains this
 */
const PAIRS = Number(process.env.BENCH_PAIRS ?? 3) // of servers: two processes of the same code differ by some percent for as long as they live
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6) // with each pair
const ROUND_SECONDS = 1
const WARM_UP_SECONDS = 3

interface Part {
  readonly name: string
  readonly replace: readonly Replacement[]
  readonly loads: readonly Load[]
}

interface Load {
  readonly what: string
  readonly connections: number
  readonly next: (i: number) => LoadRequest
}

const list = (what: string): Load['next'] => LIST_CASES.find((each) => each.what.startsWith(what))!.next
const READ: Load = { what: 'read by ID', connections: 20, next: list('read by id') }
const READ_ALONE: Load = { ...READ, what: 'read by ID, one connection', connections: 1 }
const FIRST_PAGE: Load = { what: 'first page', connections: 20, next: list('first page') }
const RANDOM_PAGES: Load = { what: 'random pages', connections: 20, next: list('random pages') }

const TABLES = Math.round((60_000 * SIZE) / 1_000_000)
const DASHBOARDS = Math.round((4_000 * SIZE) / 1_000_000)
const CONTAINS: Load = { what: 'contains', connections: 20, next: list('contains') }
const dashboard = (i: number): string => toStableUuid('dashboard', i % DASHBOARDS)
const EDIT: Load = {
  what: 'edit owners',
  connections: 20,
  next: (i) => ({
    method: 'PATCH',
    path: `/api/v1/resource/all/${dashboard(i * 7)}`,
    body: JSON.stringify({ owners: [toStableUuid('user', i), toStableUuid('user', i + 1)] }),
  }),
}
/** A title concerns more than its row, so that this edit has a transaction of its own. */
const RENAME: Load = {
  what: 'edit a title',
  connections: 4,
  next: (i) => ({
    method: 'PATCH',
    path: `/api/v1/resource/all/${dashboard(i * 7)}`,
    body: JSON.stringify({ title: `Dashboard ${i}` }),
  }),
}
const RENAME_ALONE: Load = { ...RENAME, what: 'edit a title, one connection', connections: 1 }

const BULK: Load = {
  what: 'bulk update of 100',
  connections: 4,
  next: (i) => ({
    method: 'POST',
    path: '/api/v1/resource/all/bulk_update/',
    body: JSON.stringify(
      Array.from({ length: 100 }, (_, k) => ({ id: toStableUuid('table', (i * 100 + k) % TABLES), data: { owners: [toStableUuid('user', i)] } })),
    ),
  }),
}
/** A list whose result is often invalidated: every 20th request edits one of the resources that match. */
const CONTAINS_DURING_EDITS: Load = {
  what: 'contains, and 5 % edits',
  connections: 20,
  next: (i) =>
    i % 20 === 0
      ? {
          method: 'PATCH',
          path: `/api/v1/resource/all/${toStableUuid('table', (i * 7) % TABLES)}`,
          body: JSON.stringify({ description: `Edit ${i}` }),
        }
      : CONTAINS.next(i),
}
/** Filters of thousands of shapes, each a text of its own. */
const SHAPES: Load = {
  what: 'lists with filters of 4,096 shapes',
  connections: 20,
  next: (i) => {
    const shape = (i * 2_654_435_761) % 4_096
    const fields = SHAPE_FIELDS.filter((_, bit) => (shape >> bit) & 1)
    const operands = fields.map((field) => ({ operator: (shape + field.length) % 2 ? 'is_set' : 'is_not_set', field }))
    return { path: `/api/v1/resource/catalog?${new URLSearchParams({ page_size: '20', filter: JSON.stringify({ operator: 'or', operands }) })}` }
  },
}
const SHAPE_FIELDS = 'title description definition native_type schema database cluster icon url owners tags parent'.split(' ')

const replaceLineage = (targets: BenchTargets, sources: readonly { readonly name: string }[], connections: number): Load => ({
  what: `replace the lineage of a table${connections === 1 ? ', one connection' : ''}`,
  connections,
  next: (i) => ({
    method: 'PATCH',
    path: LINEAGE,
    body: JSON.stringify({
      sql: JOIN.sql(
        targets.all[i % targets.all.length]!.name,
        [0, 1, 2].map((k) => sources[((i % (2 * targets.all.length)) * 13 + k * 7) % sources.length]!.name),
      ),
    }),
  }),
})

const listParts = (lineage: readonly Load[]): Part[] => [
  { name: 'nothing', replace: [], loads: [READ, EDIT] },
  {
    name: 'lookups wait three turns for more',
    replace: [{ file: 'src/platform/db/batch-lookups.ts', code: 'const LOOP_TURNS = 3', by: 'const LOOP_TURNS = 0' }],
    loads: [READ, READ_ALONE, FIRST_PAGE, EDIT],
  },
  {
    name: 'one turn instead of three',
    replace: [{ file: 'src/platform/db/batch-lookups.ts', code: 'const LOOP_TURNS = 3', by: 'const LOOP_TURNS = 1' }],
    loads: [READ, EDIT],
  },
  {
    name: 'statements of a tick in one write',
    replace: [{ file: 'src/platform/db/driver.ts', code: 'if (client.pipeline) writeTogether(client)\n      else if', by: 'if' }],
    loads: lineage,
  },
  {
    name: 'keys hidden from the planner',
    replace: [{ file: 'src/platform/db/opaque-params.ts', code: 'sql`(select ${keys}::${list})::${list}`', by: 'sql`${keys}::${list}`' }],
    loads: [READ, READ_ALONE, EDIT, ...lineage],
  },
  {
    name: 'begin with the first statement',
    replace: [
      { file: 'src/platform/db/driver.ts', code: ';(connection as Connection).begin(', by: 'await (connection as Connection).begin(' },
      { file: 'src/platform/db/driver.ts', code: 'begin(text: string): void {', by: 'async begin(text: string): Promise<void> {' },
      { file: 'src/platform/db/driver.ts', code: 'this.#begin = text\n', by: 'await this.#run(text, [])\n' },
    ],
    loads: [RENAME, RENAME_ALONE, ...lineage],
  },
  {
    name: 'statements of a transaction at once',
    replace: [
      {
        file: 'src/platform/db/connect.ts',
        code: 'new PipelinedExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), plain.getExecutor())',
        by: 'plain.getExecutor()',
      },
    ],
    loads: [RENAME, RENAME_ALONE, ...lineage],
  },
  {
    name: 'prepared statements',
    replace: [{ file: 'src/platform/db/prepared.ts', code: 'const existing = this.#names.get(text)', by: 'return undefined' }],
    loads: [READ, RENAME],
  },
  {
    name: 'prepared when used twice, not at once',
    replace: [
      {
        file: 'src/platform/db/prepared.ts',
        code: 'if (!this.#seen.markSeen(text)) return undefined',
        by: 'if (text.length > MAX_STATEMENT_LENGTH) return undefined',
      },
    ],
    loads: [READ, SHAPES],
  },
  {
    name: 'values that all rows share are sent once',
    replace: [
      {
        file: 'src/platform/db/rows-param.ts',
        code: 'const { shared, own } = splitSharedValues(rows as readonly RowFields[], columns)',
        by: `const texts = (rows as readonly RowFields[]).map((row) => (row[json!] == null ? '' : JSON.stringify(row[json!])))
    const all = sql\`json_to_recordset(\${JSON.stringify(json ? rows.map(({ [json]: _, ...own }) => own) : rows)}::text::json) as\`
    if (json === undefined) return sql\`(select * from \${all} s(\${typed})) \${sql.ref(alias)}\`
    return sql\`(
      select \${names}, nullif(e.\${sql.ref(json)}, '')::jsonb as \${sql.ref(json)}
      from rows from (\${all} (\${typed}), string_to_table(\${texts.join(SEPARATOR)}::text, \${sql.lit(SEPARATOR)})) as e(\${names}, \${sql.ref(json)})
    ) \${sql.ref(alias)}\`
    const { shared, own } = splitSharedValues(rows as readonly RowFields[], columns)`,
      },
    ],
    loads: [EDIT, RENAME, BULK],
  },
  {
    name: 'series of request metrics by key',
    replace: [
      {
        file: 'src/platform/http/metrics.ts',
        code: 'this.#series.get(key) ?? this.#requests.labels(method, route, String(status))',
        by: 'this.#requests.labels(method, route, String(status))',
      },
      { file: 'src/platform/http/metrics.ts', code: 'this.#series.set(key, counter)', by: '' },
    ],
    loads: [READ],
  },
  {
    name: 'one logger for all requests',
    replace: [{ file: 'src/app/app.ts', code: 'childLoggerFactory: (logger) => logger,', by: '' }],
    loads: [READ],
  },
  {
    name: 'request IDs that count',
    replace: [{ file: 'src/app/app.ts', code: 'return () => `${process}-${(n++).toString(36)}`', by: 'return () => crypto.randomUUID()' }],
    loads: [READ],
  },
  {
    name: 'rendered records',
    replace: [
      { file: 'src/catalog/records/record-cache.ts', code: 'return found?.row_version === row_version ? found : undefined', by: 'return undefined' },
    ],
    loads: [READ, FIRST_PAGE],
  },
  {
    name: 'results of lists',
    replace: [{ file: 'src/catalog/listing/result-cache.ts', code: 'this.#found.set(key, cached)', by: '' }],
    loads: [CONTAINS],
  },
  {
    name: 'invalidated results are not kept again at once',
    replace: [{ file: 'src/catalog/listing/result-cache.ts', code: 'cooldownMs = 1_000', by: 'cooldownMs = 0' }],
    loads: [CONTAINS_DURING_EDITS],
  },
  {
    name: 'equal pages of concurrent requests',
    replace: [{ file: 'src/platform/db/single-flight.ts', code: 'const same = this.#waiting.get(key)', by: 'return work()' }],
    loads: [FIRST_PAGE],
  },
  {
    name: 'lookups of concurrent requests',
    replace: [
      {
        file: 'src/platform/db/batch-lookups.ts',
        code: 'return (key) => {',
        by: 'return async (key) => {\n    return (await lookUp([key])).get(key)',
      },
    ],
    loads: [READ, EDIT],
  },
]

interface Round {
  readonly node: number
  readonly postgres: number
  readonly p50: number
}

const measure = async ({ port, pid }: BenchServer, { next, connections }: Load, seconds: number): Promise<Round> => {
  let requests = 0
  const [node, postgres] = [measureFamilyCpu(pid), measureDatabaseCpu(NAME)]
  const { p50, failures } = await runLoad({
    ...{ port, token: TOKEN, connections, seconds, warmUpSeconds: 0 },
    next: () => next(started + requests++),
  })
  started += requests
  if (failures > 0) throw new Error(`${failures} requests failed`)
  const perRequest = (cpu: number) => (cpu * 1e6) / requests
  return { node: perRequest(measureFamilyCpu(pid) - node), postgres: perRequest(measureDatabaseCpu(NAME) - postgres), p50 }
}
let started = 0

const quantile = (of: readonly number[], q: number): number => of.toSorted((a, b) => a - b)[Math.floor((of.length - 1) * q)]!
const median = (of: readonly number[]): number => quantile(of, 0.5)
const percent = (ratio: number): string => `${ratio < 1 ? '−' : ''}${Math.abs(100 * (1 - 1 / ratio)).toFixed(0)} %`

export const benchParts = async (only: readonly string[] = ['']): Promise<string> => {
  await using environment = await openBenchEnvironment()
  await using targets = await createTargets(environment)
  const sources = await findTables(environment)
  const parts = listParts([replaceLineage(targets, sources, 1), replaceLineage(targets, sources, 4)])
  const rows: (string | number)[][] = []
  for (const { name, replace, loads } of parts.filter((part) => only.some((name) => part.name.includes(name)))) {
    const rounds = new Map<Load, [Round, Round][]>(loads.map((load) => [load, []]))
    for (let pair = 0; pair < PAIRS; pair++) {
      const env = { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' }
      await using with_ = await startBenchServer('src/server.ts', env)
      await using without_ = await startBenchServer('src/server.ts', { ...env, ...without(replace) })
      for (const load of loads) {
        for (const server of [with_, without_]) await measure(server, load, WARM_UP_SECONDS)
        for (let round = 0; round < ROUNDS; round++) {
          const first = round % 2 === 0
          const a = await measure(first ? with_ : without_, load, ROUND_SECONDS)
          const b = await measure(first ? without_ : with_, load, ROUND_SECONDS)
          rounds.get(load)!.push(first ? [a, b] : [b, a])
        }
      }
    }
    for (const [load, measured] of rounds) rows.push(toRow(name, load, measured))
    console.error(rows.slice(-loads.length).map((row) => row.join(' | ')).join('\n'))
  }
  return table(
    `What parts gain at ${SIZE.toLocaleString('en')} resources: less time with each than without it, medians of ${PAIRS * ROUNDS} rounds of ${PAIRS} pairs of servers`,
    ['part', 'load', 'Node µs/request with', 'without', 'Postgres µs/request with', 'without', 'gain in CPU time', 'half of the rounds', 'gain at p50'],
    rows,
  )
}

const toRow = (name: string, { what, connections }: Load, rounds: readonly (readonly [Round, Round])[]): (string | number)[] => {
  const each = (of: (round: Round) => number) => [0, 1].map((i) => median(rounds.map((pair) => of(pair[i as 0 | 1]))))
  const ratios = (of: (round: Round) => number) => rounds.map(([with_, without_]) => of(without_) / of(with_))
  const cpu = ratios(({ node, postgres }) => node + postgres)
  return [
    ...[name, `${what}, ${connections}`],
    ...each(({ node }) => node),
    ...each(({ postgres }) => postgres),
    percent(median(cpu)),
    `${percent(quantile(cpu, 0.25))} to ${percent(quantile(cpu, 0.75))}`,
    percent(median(ratios(({ p50 }) => p50))),
  ]
}

if (import.meta.main) console.log(await benchParts(process.argv.length > 2 ? process.argv.slice(2) : undefined))
