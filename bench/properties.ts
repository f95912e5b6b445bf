import { sql } from 'kysely'
import { createCustomProperty } from '../src/catalog/properties/define.ts'
import { findProperties } from '../src/catalog/properties/property-rows.ts'
import { type BenchEnvironment, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { runLoad } from './load-generator.ts'
import { pgbench } from './pgbench.ts'
import { startBenchServer } from './server.ts'
import { formatPercent, table } from './table.ts'

/** Values of custom properties with full history, compared with a bare upsert of the same values into a table with the same indexes. */
const ENTITIES = 1000
const NAMES = ['bench tier', 'bench rows', 'bench centre', 'bench note', 'bench area']

export const benchProperties = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const keys = await define(environment)
  const ids = await anyResources(environment)
  const id = (i: number) => ids[i % ids.length]!
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  const bulk = (values: number, entities: number) =>
    runLoad({
      port: tablinum.port,
      token: TOKEN,
      connections: 4,
      next: (i) => ({
        method: 'PUT',
        path: '/api/v1/resource/all_v2/bulk_update/custom_properties/',
        body: JSON.stringify({
          entity_ids: Array.from({ length: entities }, (_, k) => id(i * entities + k)),
          properties: Object.fromEntries(keys.slice(0, values).map((key) => [key, `${i} ${process.pid}`])),
        }),
      }),
    })
  const rows: (string | number)[][] = []
  for (const [values, entities] of [
    [1, ENTITIES],
    [5, ENTITIES],
    [1, 1],
  ] as const) {
    const { perSecond, p50, p99, failures } = await bulk(values, entities)
    if (failures > 0) throw new Error(`${failures} writes failed`)
    const bare = await bareUpsert(environment, ids, values * entities)
    const rate = perSecond * values * entities
    rows.push([`${values} on each of ${entities.toLocaleString('en')}`, perSecond, rate, p50, p99, bare, formatPercent(rate, bare)])
  }
  return table(
    `Values of custom properties with their history at ${SIZE.toLocaleString('en')} resources, 4 connections`,
    ['values in a request', 'requests/s', 'values/s', 'p50 ms', 'p99 ms', 'bare upsert values/s, pgbench', 'of it'],
    rows,
  )
}

const define = async ({ ctx }: BenchEnvironment): Promise<string[]> => {
  const found = await findProperties(ctx.db, NAMES)
  const keys: string[] = []
  for (const name of NAMES) keys.push(found.get(name)?.id ?? (await createCustomProperty(ctx, { name, value_type: 'string' })).id)
  return keys
}

/** A random selection, spread over the table. */
const anyResources = async ({ ctx }: BenchEnvironment): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from resources order by md5(id::text) limit 100000`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Only the values, with random keys: no history, no checks. */
const bareUpsert = async ({ url, database: { db } }: BenchEnvironment, some: readonly string[], values: number): Promise<number> => {
  await sql`drop table if exists bare_values`.execute(db)
  await sql`create table bare_values (resource_id uuid, property_id uuid, value text, primary key (resource_id, property_id))`.execute(db)
  await sql`create index on bare_values (property_id, value)`.execute(db)
  const ids = `'{${some.slice(0, 500).join(',')}}'::uuid[]`
  const one = (n: string) => `(${ids})[1 + ${n} % 500], md5((${n} / 500)::text)::uuid`
  const perSecond = await pgbench(
    url,
    `\\set i random(1, 1000000000)\ninsert into bare_values select ${one('(:i + n)')}, :i::text from generate_series(1, ${values}) n on conflict (resource_id, property_id) do update set value = excluded.value;`,
    { clients: 1 },
  )
  await sql`drop table bare_values`.execute(db)
  return perSecond * values
}

if (import.meta.main) console.log(await benchProperties())
