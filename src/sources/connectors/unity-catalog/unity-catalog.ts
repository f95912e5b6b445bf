import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { explainUnreadable, readListed } from '../bi/bi-client.ts'
import { CONCURRENT_REQUESTS } from '../bi/listing.ts'
import { findUnchanged, toVersion, withVersion } from '../bi/versions.ts'
import { compilePatterns, type Patterns } from '../patterns/name-patterns.ts'
import { readProperties } from '../stores/properties.ts'
import { nameKey, toContainerItem } from '../stores/tables.ts'
import { UnityCatalogApi } from './unity-catalog-api.ts'
import { UNITY_CATALOG_GRANTS, UNITY_CATALOG_SETTINGS, type UnityCatalogSettings } from './unity-catalog-settings.ts'
import { readOwners, toTable } from './unity-catalog-tables.ts'

type Context = RunContext<UnityCatalogSettings>

/** Catalogs of Databricks itself, and those that the API does not list. They are read if they are named. */
const SYSTEM_CATALOGS = ['system', 'samples', 'hive_metastore', '__databricks_internal']
const SYSTEM_TYPES = ['SYSTEM_CATALOG', 'INTERNAL_CATALOG']
const INFORMATION_SCHEMA = 'information_schema'

export const unityCatalog = defineConnector<UnityCatalogSettings>({
  name: 'unity_catalog',
  label: 'Unity Catalog',
  version: '1.0.0',
  settings: UNITY_CATALOG_SETTINGS,
  grants: UNITY_CATALOG_GRANTS,

  test: async (context) => {
    const catalogs = await listCatalogs(new UnityCatalogApi(context), context.settings)
    return `Connected to Unity Catalog: ${catalogs.length} ${catalogs.length === 1 ? 'catalog' : 'catalogs'}.`
  },

  async *discover(context) {
    const api = new UnityCatalogApi(context)
    const patterns = compilePatterns(context.settings.include, context.settings.exclude)
    const catalogs = await listCatalogs(api, context.settings)
    for (const [done, catalog] of catalogs.entries()) {
      yield* readCatalog(api, catalog, patterns, context)
      await context.progress(done + 1, catalogs.length)
    }
  },
})

const listCatalogs = async (api: UnityCatalogApi, { catalog }: UnityCatalogSettings): Promise<Shape[]> => {
  if (catalog) return [await api.getCatalog(catalog)]
  const all = await Array.fromAsync(api.listCatalogs())
  return all.filter(
    (each) => !SYSTEM_CATALOGS.includes(each.text('name')) && !SYSTEM_TYPES.includes(each.optionalText('catalog_type') ?? ''),
  )
}

const toContainer = (container: Shape, names: readonly [string, ...string[]]): Discovered => {
  const title = names.at(-1)!
  return toContainerItem(nameKey(...names), {
    ...(names.length === 1
      ? { entity_type: 'database', native_type: 'catalog', title }
      : { entity_type: 'schema', native_type: 'schema', title, parent: nameKey(names[0]) }),
    description: container.optionalText('comment') ?? '',
    owners: readOwners(container),
    facts: {
      owner: container.optionalText('owner'),
      location: container.optionalText('storage_root'),
      properties: readProperties(container.optionalObject('properties')),
    },
  })
}

async function* readCatalog(api: UnityCatalogApi, catalog: Shape, patterns: Patterns, context: Context): AsyncGenerator<Discovered, void> {
  const name = catalog.text('name')
  yield toContainer(catalog, [name])
  const listed = await readListed(Array.fromAsync(api.listSchemas(name)), nameKey(name))
  if (!('found' in listed)) return yield* listed.messages
  for (const schema of listed.found) {
    const title = schema.text('name')
    if (title === INFORMATION_SCHEMA) continue
    yield toContainer(schema, [name, title])
    yield* readTables(api, name, title, patterns, context)
  }
}

async function* readTables(
  api: UnityCatalogApi,
  catalog: string,
  schema: string,
  patterns: Patterns,
  { settings, versions }: Context,
): AsyncGenerator<Discovered, void> {
  async function* listIncluded() {
    for await (const table of api.listTables(catalog, schema)) if (patterns.matches(catalog, schema, table.text('name'))) yield table
  }
  const readTable = async (table: Shape): Promise<readonly Discovered[]> => {
    if (!settings.keys) return toTable(catalog, schema, table, undefined)
    const name = table.text('name')
    const key = nameKey(catalog, schema, name)
    // Without a time of change, it would not be known whether its keys have changed.
    const version = toVersion(table.optionalInteger('updated_at'), table.value)
    const unchanged = findUnchanged({ versions }, key, version, nameKey(catalog, schema))
    if (unchanged) return [unchanged]
    const read = await readListed(api.getTable(catalog, schema, name), key)
    return 'found' in read ? withVersion(toTable(catalog, schema, table, read.found), key, version) : read.messages
  }
  try {
    for await (const found of mapConcurrently(listIncluded(), CONCURRENT_REQUESTS, readTable)) yield* found
  } catch (error) {
    const unlisted = explainUnreadable(error, nameKey(catalog, schema))
    if (unlisted) yield unlisted
  }
}
