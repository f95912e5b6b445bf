import { measureCpu, measureDatabaseCpu } from './cpu.ts'
import { nameOf, openBenchCatalog, startBenchPostgres, TOKEN } from './environment.ts'
import { LIST_CASES, startEdits } from './list.ts'
import { type LoadRequest, runLoad } from './load-generator.ts'
import { SEARCH_CASES, searchPaths } from './search.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { table } from './table.ts'

/**
 * The lists and searches at two sizes, in turns, so that what else the machine does concerns both. `BENCH_SIZES=1000000,10000000`;
 * `BENCH_LINES=contains` for the lines with this in their name.
 */
const SIZES = (process.env.BENCH_SIZES ?? '1000000,10000000').split(',').map(Number)
const LINES = process.env.BENCH_LINES ?? ''
const TURNS = Number(process.env.BENCH_TURNS ?? 2)
const WARM_UP_SECONDS = Number(process.env.BENCH_WARM_UP ?? 5)
const SECONDS = 6

interface Line {
  readonly what: string
  readonly next: () => (i: number) => LoadRequest
  readonly edits?: boolean
}

const LISTS: readonly Line[] = LIST_CASES.map(({ what, next }) => ({ what, next: () => next }))
const LINES_OF_BOTH: readonly Line[] = [
  ...LISTS,
  ...SEARCH_CASES.flatMap((each): Line[] => {
    const bounded = { ...each, what: `${each.what}, count=bounded`, more: `${each.more ?? ''}&count=bounded` }
    return (each.what.startsWith('never') && each.more === undefined ? [each, bounded] : [each]).map((one) => ({
      what: one.what,
      next: () => {
        const paths = searchPaths(one)
        let n = 0
        return () => ({ path: paths[n++ % paths.length]! })
      },
    }))
  }),
  // Last: the server processes them for a while.
  ...LISTS.slice(0, 4).map((line) => ({ ...line, what: `${line.what}, while resources are edited`, edits: true })),
]

interface Measured {
  perSecond: number
  requests: number
  nodeUs: number
  pgUs: number
}

export const benchSizes = async (): Promise<string> => {
  await using postgres = await startBenchPostgres()
  await using stack = new AsyncDisposableStack()
  const sides: Side[] = []
  for (const size of SIZES) {
    const { url } = stack.use(await openBenchCatalog(postgres.url, size))
    sides.push({
      name: nameOf(size),
      server: stack.use(await startBenchServer('src/server.ts', { DATABASE_URL: url, TABLINUM_RATE_LIMIT: '0' })),
    })
  }
  const rows: (string | number)[][] = []
  for (const line of LINES_OF_BOTH.filter(({ what }) => what.includes(LINES))) {
    const row = await measureInTurns(line, sides)
    rows.push(row)
    console.error(row.map((cell) => (typeof cell === 'number' ? cell.toPrecision(4) : cell)).join('  '))
  }
  const names = SIZES.map((size) => size.toLocaleString('en'))
  const head = [
    '20 connections',
    ...names.map((name) => `${name}: req/s`),
    'times slower',
    ...names.map((name) => `${name}: CPU µs/req`),
    'times more',
  ]
  return table(`Lists and searches at ${names.join(' and ')} resources, in turns`, head, rows)
}

interface Side {
  readonly name: string
  readonly server: BenchServer
}

const measureInTurns = async ({ what, next, edits }: Line, servers: readonly Side[]): Promise<(string | number)[]> => {
  const sides = servers.map((side) => ({ ...side, next: next(), turns: [] as Measured[] }))
  for (const { server, next } of sides)
    await runLoad({ port: server.port, token: TOKEN, seconds: 0.5, warmUpSeconds: WARM_UP_SECONDS, next })
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const { server, next, name, turns } of turn % 2 === 0 ? sides : sides.toReversed()) {
      const editing = edits ? startEdits(server.port, SECONDS) : undefined
      turns.push(await measure(server, next, name))
      await editing
    }
  const means = sides.map(({ turns }) => {
    const requests = turns.reduce((sum, each) => sum + each.requests, 0)
    const cpu = turns.reduce((sum, { requests, nodeUs, pgUs }) => sum + requests * (nodeUs + pgUs), 0)
    return { perSecond: turns.reduce((sum, { perSecond }) => sum + perSecond, 0) / turns.length, cpuUs: cpu / requests }
  })
  const [small, large] = [means[0]!, means.at(-1)!]
  return [
    what,
    ...means.map(({ perSecond }) => perSecond),
    small.perSecond / large.perSecond,
    ...means.map(({ cpuUs }) => cpuUs),
    large.cpuUs / small.cpuUs,
  ]
}

const measure = async ({ port, pid }: BenchServer, next: (i: number) => LoadRequest, name: string): Promise<Measured> => {
  let requests = 0
  const counted = (i: number) => {
    requests += 1
    return next(i)
  }
  const [node, pg] = [measureCpu(pid), measureDatabaseCpu(name)]
  const load = await runLoad({ port, token: TOKEN, warmUpSeconds: 0, seconds: SECONDS, next: counted })
  if (load.failures > 0) throw new Error(`${load.failures} requests failed`)
  const us = (seconds: number) => (seconds * 1e6) / requests
  return { perSecond: load.perSecond, requests, nodeUs: us(measureCpu(pid) - node), pgUs: us(measureDatabaseCpu(name) - pg) }
}

if (import.meta.main) console.log(await benchSizes())
