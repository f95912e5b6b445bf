import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { explainDenied, readListed } from '../bi/bi-client.ts'
import { CONCURRENT_REQUESTS } from '../bi/listing.ts'
import { compilePatterns } from '../patterns/name-patterns.ts'
import { nameKey, toContainerItem, toTableItems } from '../stores/tables.ts'
import { IcebergApi, toPath } from './iceberg-api.ts'
import { ICEBERG_GRANTS, ICEBERG_SETTINGS, type IcebergSettings } from './iceberg-settings.ts'
import { readCounts, readCurrentFields, readPartitions } from './table-metadata.ts'

const CATALOG = 'catalog'
/** One part for all levels: a namespace and a table may have the same name. */
const namespaceKey = (levels: readonly string[]): string => nameKey(CATALOG, levels.join('.'))

export const iceberg = defineConnector<IcebergSettings>({
  name: 'iceberg',
  label: 'Iceberg REST catalog',
  version: '1.0.0',
  settings: ICEBERG_SETTINGS,
  grants: ICEBERG_GRANTS,

  test: async (context) => {
    const namespaces = await Array.fromAsync((await IcebergApi.connect(context)).listNamespaces())
    return `Connected to the Iceberg catalog: ${namespaces.length} namespaces.`
  },

  async *discover(context) {
    const api = await IcebergApi.connect(context)
    const title = context.settings.warehouse || new URL(context.settings.url).hostname
    yield toContainerItem(CATALOG, { entity_type: 'database', native_type: 'iceberg catalog', title })
    let done = 0
    for await (const levels of api.listNamespaces()) {
      yield* readNamespace(api, levels, context)
      done += 1
      await context.progress(done, done)
    }
  },
})

async function* readNamespace(
  api: IcebergApi,
  levels: readonly string[],
  { settings }: RunContext<IcebergSettings>,
): AsyncGenerator<Discovered, void> {
  const key = namespaceKey(levels)
  const described = await readListed(api.get(toPath(levels)), key)
  if (!('found' in described)) return yield* described.messages
  const properties = described.found.optionalObject('properties')
  yield toContainerItem(key, {
    ...{ entity_type: 'schema', native_type: 'namespace', title: levels.join('.'), parent: CATALOG },
    description: properties?.optionalText('comment') ?? '',
    owners: listOwner(properties),
    facts: { location: properties?.optionalText('location') },
  })
  const patterns = compilePatterns(settings.include, settings.exclude)
  const includes = (identifier: Shape) => patterns.matches(...levels, identifier.text('name'))
  async function* listTables() {
    for await (const identifier of api.listTables(levels)) if (includes(identifier)) yield identifier
  }
  const read =
    (kind: 'tables' | 'views') =>
    async (identifier: Shape): Promise<readonly Discovered[]> => {
      const name = identifier.text('name')
      const item = nameKey(CATALOG, levels.join('.'), name)
      // Of the snapshots, only the current one is read; tables may have thousands.
      const query = kind === 'tables' ? { snapshots: 'refs' } : {}
      const loaded = await readListed(api.get(`${toPath(levels)}/${kind}/${encodeURIComponent(name)}`, query), item)
      if (!('found' in loaded)) return loaded.messages
      const metadata = loaded.found.object('metadata')
      return kind === 'tables' ? toTable(item, key, name, metadata) : toView(item, key, name, metadata, levels)
    }
  for await (const found of mapConcurrently(listTables(), CONCURRENT_REQUESTS, read('tables'))) yield* found
  try {
    const views = (await api.listViews(levels)).filter(includes)
    for await (const found of mapConcurrently(views, CONCURRENT_REQUESTS, read('views'))) yield* found
  } catch (error) {
    yield explainDenied(error, key, 'The principal must be allowed to list views, too.')
  }
}

const listOwner = (properties: Shape | undefined): string[] => {
  const owner = properties?.optionalText('owner')
  return owner === undefined ? [] : [owner]
}

const toTable = (key: string, parent: string, name: string, metadata: Shape): Discovered[] => {
  const properties = metadata.optionalObject('properties')
  return toTableItems(key, {
    ...{ native_type: 'iceberg table', title: name, parent },
    description: properties?.optionalText('comment') ?? '',
    owners: listOwner(properties),
    fields: readCurrentFields(metadata, metadata.optionalInteger('current-schema-id')),
    ...readCounts(metadata),
    facts: {
      location: metadata.optionalText('location'),
      format_version: metadata.optionalInteger('format-version'),
      partitioned_by: readPartitions(metadata),
    },
  })
}

const DIALECTS: Readonly<Record<string, string>> = { spark: 'databricks', trino: 'trino', presto: 'trino', hive: 'databricks' }

const toView = (key: string, parent: string, name: string, metadata: Shape, levels: readonly string[]): Discovered[] => {
  const current = metadata.integer('current-version-id')
  const version = metadata.list('versions').find((each) => each.integer('version-id') === current)
  const representation = version?.list('representations').find((each) => each.optionalText('type') === 'sql')
  const dialect = representation?.optionalText('dialect')?.toLowerCase() ?? ''
  const properties = metadata.optionalObject('properties')
  return toTableItems(key, {
    ...{ native_type: 'view', title: name, parent },
    description: properties?.optionalText('comment') ?? '',
    owners: listOwner(properties),
    fields: readCurrentFields(metadata, version?.optionalInteger('schema-id')),
    ...(representation
      ? { query: { sql: representation.text('sql'), dialect: DIALECTS[dialect] ?? 'databricks', schema: levels.join('.') } }
      : {}),
  })
}
