import { sql } from 'kysely'
import { bootstrapWorkspace } from '../src/accounts/users/bootstrap.ts'
import { createRuntime } from '../src/app/runtime.ts'
import type { Context } from '../src/platform/context/context.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { markChangesProcessed, TOKEN } from './environment.ts'
import { writeBaseline } from './search-quality/baseline.ts'
import { buildCatalog } from './search-quality/catalog.ts'
import {
  type Engine,
  type Evaluation,
  evaluate,
  formatByClass,
  formatFailures,
  formatMetricsByClass,
  formatTotals,
  toSearchPath,
} from './search-quality/evaluate.ts'
import { judge, readQueries } from './search-quality/judgments.ts'
import { loadCatalog } from './search-quality/load.ts'
import { createPeers } from './search-quality/peers.ts'
import { startBenchServer } from './server.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * Search quality: judged queries on the catalog of a made-up company, asked over HTTP and of two peers.
 * `--class typo` asks one class, `--failures` lists the worst queries, `--no-peers` leaves the peers out, `--update` writes the baseline
 * that `test/search/search-quality.test.ts` compares with.
 */
interface Options {
  readonly onlyClass?: string
  readonly failures?: boolean
  readonly peers?: boolean
  readonly update?: boolean
}

export const benchSearchQuality = ({ onlyClass, failures = false, peers = true, update = false }: Options = {}): Promise<string> =>
  withTemporaryPostgres(
    async (url) => {
      const catalog = buildCatalog()
      const judged = readQueries()
        .filter((query) => !onlyClass || query.class === onlyClass)
        .map((query) => ({ query, judgments: judge(catalog, query) }))
      await using runtime = createRuntime(url, { requestTimeoutMs: 600_000 })
      const { db } = runtime.databases.request
      await prepareDatabase(db)
      await migrateQueue(url)
      const { workspace_id } = await bootstrapWorkspace(db, TOKEN, new Date())
      const ctx: Context = { db, runtime, workspace_id, actor: SYSTEM, now: new Date(), limits: {} }
      await loadCatalog(ctx, catalog)
      await sql`vacuum analyze`.execute(db)
      await markChangesProcessed(ctx)
      await using server = await startBenchServer('src/server.ts', { DATABASE_URL: url, TABLINUM_RATE_LIMIT: '0' })
      const product: Engine = { name: 'Tablinum', search: searchOverHttp(server.port) }
      const evaluations: Evaluation[] = []
      for (const engine of [product, ...(peers ? await createPeers(db, catalog) : [])]) evaluations.push(await evaluate(engine, judged))
      if (update) await writeBaseline(evaluations[0]!)
      return [
        formatMetricsByClass('Search quality of Tablinum by class of query', evaluations[0]!),
        formatByClass('Search quality: NDCG@10 by class of query', evaluations),
        formatTotals('Search quality: all queries', evaluations),
        ...(failures ? [formatFailures(catalog, evaluations[0]!)] : []),
      ].join('\n')
    },
    { fsync: 'off' },
  )

const searchOverHttp =
  (port: number): Engine['search'] =>
  async (query) => {
    const response = await fetch(`http://127.0.0.1:${port}${toSearchPath(query)}`, { headers: { authorization: `Bearer ${TOKEN}` } })
    if (!response.ok) throw new Error(`${query.q}: ${response.status} ${await response.text()}`)
    const { results } = (await response.json()) as { results: { id: string }[] }
    return results.map(({ id }) => id)
  }

if (import.meta.main) {
  const args = process.argv.slice(2)
  const at = args.indexOf('--class')
  const onlyClass = at < 0 ? undefined : args[at + 1]
  const [failures, peers, update] = [args.includes('--failures'), !args.includes('--no-peers'), args.includes('--update')]
  if (update && onlyClass) throw new Error('The baseline is of all classes: use --update without --class.')
  console.log(await benchSearchQuality({ onlyClass, failures, peers, update }))
}
