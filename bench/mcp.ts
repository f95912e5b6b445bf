import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { ASPECTS, DOMAINS, QUALIFIERS } from './corpus.ts'
import { measureCpu, measureDatabaseCpu } from './cpu.ts'
import { NAME, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'

/** Tool calls of agents over MCP, at a fixed rate: a slow answer does not delay the next call, as with many independent agents. */
const PER_SECOND = Number(process.env.BENCH_RATE ?? 50)
const SECONDS = 20
/** The first request loads the SDK, and Node compiles the code of the tools during the first hundreds. */
const WARM_UP_SECONDS = 10
/** p95 of each row. */
const LIMIT_MS = 100

interface Call {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

const pick = <T>(all: readonly T[], i: number): T => all[(i * 7_919) % all.length]!

/** What an agent does to answer a question: it searches, reads some tables, and checks where they come from. */
const MIX: readonly ((i: number, tables: readonly string[]) => Call)[] = [
  (i) => ({ name: 'search', arguments: { query: `${pick(QUALIFIERS, i)} ${pick(DOMAINS, i + 1)}` } }),
  (i) => ({ name: 'search', arguments: { query: `${pick(DOMAINS, i)} ${pick(ASPECTS, i + 1)}`, types: ['table'] } }),
  (i, tables) => ({ name: 'get_entity', arguments: { id: pick(tables, i) } }),
  (i, tables) => ({ name: 'get_entity', arguments: { id: pick(tables, i + 1) } }),
  (i, tables) => ({ name: 'get_lineage', arguments: { id: pick(tables, i) } }),
  (i, tables) => ({ name: 'check_gate', arguments: { id: pick(tables, i), upstream: true } }),
  (i, tables) => ({ name: 'get_owners', arguments: { ids: [pick(tables, i), pick(tables, i + 1)] } }),
  (i) => ({ name: 'search_documentation', arguments: { query: pick(DOMAINS, i) } }),
]

const VERSION = '2026-07-28'

const createCaller =
  (port: number) =>
  async (call: Call): Promise<void> => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': VERSION, 'io.modelcontextprotocol/clientCapabilities': {} }
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': 'tools/call',
        'mcp-name': call.name,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta } }),
    })
    const { result, error } = (await response.json()) as { result?: { isError?: boolean; content: unknown }; error?: unknown }
    if (error || result?.isError) throw new Error(`${call.name}: ${JSON.stringify(error ?? result)}`)
  }

export const benchMcp = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const { rows } = await sql<{ id: string }>`select id from resources where entity_type = 'table' order by id limit 2000`.execute(
    environment.database.db,
  )
  const tables = rows.map(({ id }) => id)
  await using server = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  const call = createCaller(server.port)
  const times = new Map<string, number[]>()
  const started = performance.now()
  const pending: Promise<void>[] = []
  let cpu: readonly [number, number] = [0, 0]
  for (let i = 0; i < PER_SECOND * (WARM_UP_SECONDS + SECONDS); i += 1) {
    const due = started + (i * 1000) / PER_SECOND
    await sleep(Math.max(0, due - performance.now()))
    if (i === PER_SECOND * WARM_UP_SECONDS) cpu = [measureCpu(server.pid), measureDatabaseCpu(NAME)]
    const next = MIX[i % MIX.length]!(i, tables)
    const measured = i >= PER_SECOND * WARM_UP_SECONDS
    pending.push(
      call(next).then(() => {
        // From when it was due: a generator that falls behind must not hide the delay.
        if (measured) times.set(next.name, [...(times.get(next.name) ?? []), performance.now() - due])
      }),
    )
  }
  await Promise.all(pending)
  const calls = PER_SECOND * SECONDS
  const toRow = (name: string, all: readonly number[]) => {
    const sorted = all.toSorted((a, b) => a - b)
    const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
    return [name, sorted.length, at(0.5), at(0.95), at(0.99), LIMIT_MS] as (string | number)[]
  }
  const used = [measureCpu(server.pid) - cpu[0], measureDatabaseCpu(NAME) - cpu[1]].map((seconds) => (seconds * 1000) / calls)
  return table(
    `MCP tool calls, ${PER_SECOND} per second, at ${SIZE.toLocaleString('en')} resources`,
    ['tool', 'calls', 'p50 ms', 'p95 ms', 'p99 ms', 'limit of p95'],
    [
      ...[...times].map(([name, all]) => toRow(name, all)),
      toRow('all', [...times.values()].flat()),
      ['CPU per call: Node, Postgres', calls, used[0]!, used[1]!, '', ''],
    ],
  )
}

if (import.meta.main) console.log(await benchMcp())
