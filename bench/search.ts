import { ASPECTS, DOMAINS, QUALIFIERS } from './corpus.ts'
import { measureCpu, measureDatabaseCpu } from './cpu.ts'
import { NAME, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { runLoad } from './load-generator.ts'
import { measurePgbench } from './pgbench.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'

/** Search at a million resources: typical and adversarial terms, compared with one bare lookup in the word index. */
const TYPICAL = [
  ...[
    'order',
    'customer',
    'invoice payment',
    'daily order',
    'order_item',
    'orderStatus',
    'session events',
    'customer_id',
    'refund history',
  ],
  ...[
    'monthly close finance',
    'quarantine',
    'loadInvoice',
    'sensor',
    'patient overview',
    'staging_claim',
    'custmer',
    'shipmnet cost',
    'price 12',
  ],
]
const TYPED = [
  'o',
  'or',
  'ord',
  'orde',
  'order',
  'order ',
  'order i',
  'order it',
  'c',
  'cu',
  'cus',
  'cust',
  'in',
  'inv',
  's',
  'st',
  'stag',
  'staging_c',
]
const HOSTILE = [
  ...['a', 'id', 'the', 'e', 'of the', 'created_at', 'updated', 'id id id', 'a b c d e f g', 'one row for each'],
  ...['qzxwvk', 'asdkjh qweoiu zmxncb', '%', '...', '🔥', "' or 1=1 --", 'a & !b | (c', '"exact phrase"', '\\', 'x'.repeat(500)],
  ...[
    'abcdefghij '.repeat(45).trim(),
    'order customer invoice payment shipment supplier campaign session ticket refund '.repeat(6).trim(),
    'éàüñ ölaf',
    '日本語',
  ],
]
/** More terms than fit into the measured time, because a cached result takes a tenth of the time. Shuffled, so that each second has all kinds. */
const mixed = (terms: readonly string[]): string[] => [...new Set(terms)].map((_, i, all) => all[(i * 7_919) % all.length]!)
const NEW = mixed(
  DOMAINS.flatMap((domain) =>
    ASPECTS.flatMap((aspect) =>
      QUALIFIERS.flatMap((qualifier) => [
        `${qualifier}_${domain}`,
        `${aspect} ${qualifier}`,
        `${domain} ${aspect}`,
        `${domain} ${aspect} row`,
        `${qualifier} ${domain} ${aspect}`,
      ]),
    ),
  ),
)
const NEWLY_TYPED = mixed(
  [...QUALIFIERS, ...ASPECTS].flatMap((first) =>
    DOMAINS.flatMap((domain) => [...domain].map((_, i) => `${first} ${domain.slice(0, i + 1)}`)),
  ),
)

interface SearchCase {
  readonly what: string
  readonly terms: readonly string[]
  readonly more?: string
}

export const SEARCH_CASES: readonly SearchCase[] = [
  { what: 'type-ahead, while typing', terms: TYPED, more: '&facets=false' },
  { what: 'typical words', terms: TYPICAL, more: '&facets=false' },
  { what: 'typical words, with facets', terms: TYPICAL },
  { what: 'typical words, one facet selected', terms: TYPICAL, more: '&entity_type=table' },
  { what: 'hostile input', terms: HOSTILE, more: '&facets=false' },
  { what: 'hostile input, with facets', terms: HOSTILE },
  { what: 'never asked before: type-ahead', terms: NEWLY_TYPED, more: '&facets=false' },
  { what: 'never asked before: two and three words', terms: NEW, more: '&facets=false' },
  { what: 'never asked before, with facets', terms: NEW },
]
const BARE = "select resource_id, title_words from search_titles where words @@ '=order & #u5' limit 20;"

export const searchPaths = ({ terms, more = '' }: SearchCase): string[] =>
  terms.map((term) => `/api/v1/search?page_size=20&q=${encodeURIComponent(term)}${more}`)

export const benchSearch = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const rows: (string | number)[][] = []
  for (const each of [...SEARCH_CASES, { what: 'all of these together', terms: [...TYPED, ...TYPICAL, ...HOSTILE] }]) {
    await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
    const { port, pid } = tablinum
    const paths = searchPaths(each)
    let requests = 0
    const next = () => ({ path: paths[requests++ % paths.length]! })
    // Node compiles the code of a search during the first thousand.
    await runLoad({ port, token: TOKEN, seconds: 0.5, warmUpSeconds: 10, next })
    const before = [measureCpu(pid), measureDatabaseCpu(NAME), requests] as const
    const ours = await runLoad({ port, token: TOKEN, warmUpSeconds: 0, next })
    if (ours.failures > 0) throw new Error(`${ours.failures} searches failed`)
    const us = (used: number) => (used * 1e6) / (requests - before[2])
    rows.push([
      each.what,
      each.terms.length,
      ours.perSecond,
      ours.p50,
      ours.p95,
      ours.p99,
      us(measureCpu(pid) - before[0]),
      us(measureDatabaseCpu(NAME) - before[1]),
    ])
  }
  const bare = await measurePgbench(environment.url, BARE)
  const head = [
    '20 connections, 20 results',
    'terms',
    'req/s',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'Node µs/req',
    'Postgres µs/req',
    'p95, times bare',
  ]
  return table(`Search at ${SIZE.toLocaleString('en')} resources`, head, [
    ...rows.map((row) => [...row, `${(Number(row[4]) / bare.p95).toFixed(1)}×`]),
    ['one bare look-up in the index, pgbench', 1, bare.perSecond, '', bare.p95, '', '', '', ''],
  ])
}

if (import.meta.main) console.log(await benchSearch())
