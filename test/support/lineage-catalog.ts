import { createResources } from '../../src/catalog/resources/create.ts'
import type { TestApp } from './test-app.ts'

/** IDs by full name: `shop.public.orders`, `shop.public.orders.id`. */
export type Catalog = ReadonlyMap<string, string>

/** Creates tables with columns, in the schemas and databases of their names. */
export const createLineageCatalog = async (
  app: TestApp,
  tables: Readonly<Record<string, readonly string[]>>,
  more: { integration?: string; published?: boolean; teams?: string[] } = {},
): Promise<Catalog> => {
  const ids = new Map<string, string>()
  const ctx = { ...app.ctx, now: new Date() }
  const make = async (names: readonly string[], entity_type: string) => {
    const fresh = [...new Set(names)].filter((name) => !ids.has(name))
    const rows = await createResources(
      ctx,
      fresh.map((name) => ({ title: name.split('.').at(-1)!, entity_type, parent: ids.get(parentName(name)) ?? null, ...more })),
    )
    rows.forEach(({ id }, i) => {
      ids.set(fresh[i]!, id)
    })
  }
  const names = Object.keys(tables)
  await make(
    names.flatMap((name) => (name.split('.').length > 2 ? parentName(parentName(name)) : [])),
    'database',
  )
  await make(
    names.flatMap((name) => (name.includes('.') ? parentName(name) : [])),
    'schema',
  )
  await make(names, 'table')
  await make(
    names.flatMap((name) => tables[name]!.map((column) => `${name}.${column}`)),
    'column',
  )
  return ids
}

const parentName = (name: string): string => name.split('.').slice(0, -1).join('.')

/** Every edge by the names of the catalog: `orders.price > daily.total aggregation`. Manual edges have no kind. */
export const listEdges = async (app: TestApp, catalog: Catalog): Promise<string[]> => {
  const names = new Map([...catalog].map(([name, id]) => [id, name]))
  const rows = await app.db.selectFrom('lineage_edges').select(['upstream', 'downstream', 'kind']).execute()
  return rows.map(({ upstream, downstream, kind }) => `${names.get(upstream)} > ${names.get(downstream)} ${kind ?? 'manual'}`).sort()
}
