import { type Discovered, defineConnector } from '../../../../connector/src/define.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { AwsClient, AwsError, listPages } from '../aws/aws-client.ts'
import { compilePatterns } from '../patterns/name-patterns.ts'
import type { SchemaField } from '../stores/fields.ts'
import { readStatistic } from '../stores/properties.ts'
import { nameKey, toContainerItem, toTableItems } from '../stores/tables.ts'
import { readTypeFields } from '../stores/type-text.ts'
import { readViewQuery } from '../stores/view-text.ts'
import { GLUE_GRANTS, GLUE_SETTINGS, type GlueSettings } from './glue-settings.ts'

const SERVICE = { service: 'glue', label: 'AWS Glue', target: 'AWSGlue', jsonVersion: '1.1' } as const
const PAGE_SIZE = 100
const NEXT = ['NextToken', 'NextToken'] as const

export const glue = defineConnector<GlueSettings>({
  name: 'glue',
  label: 'AWS Glue',
  version: '1.0.0',
  settings: GLUE_SETTINGS,
  grants: GLUE_GRANTS,

  test: async (context) => {
    const databases = await Array.fromAsync(listDatabases(new AwsClient(SERVICE, context), context.settings))
    return `Connected to AWS Glue in ${context.settings.region}: ${databases.length} databases.`
  },

  async *discover(context) {
    const { settings, progress } = context
    const client = new AwsClient(SERVICE, context)
    const patterns = compilePatterns(settings.include, settings.exclude)
    const databases = await Array.fromAsync(listDatabases(client, settings))
    for (const [done, database] of databases.entries()) {
      const name = database.text('Name')
      const tables = readTables(client, settings, name, (table) => patterns.matches(name, table))
      const first = await tables.next()
      // With patterns, only databases with included tables are reported.
      if (patterns.all || !first.done) yield toDatabase(database)
      if (!first.done) yield* first.value
      yield* flatten(tables)
      await progress(done + 1, databases.length)
    }
  },
})

async function* flatten<T>(lists: AsyncIterable<readonly T[]>): AsyncGenerator<T, void> {
  for await (const list of lists) yield* list
}

const inCatalog = ({ catalog_id }: GlueSettings) => (catalog_id ? { CatalogId: catalog_id } : {})

const listDatabases = (client: AwsClient, settings: GlueSettings): AsyncGenerator<Shape, void> =>
  listPages(client, 'GetDatabases', { ...inCatalog(settings), MaxResults: PAGE_SIZE }, { next: NEXT, items: 'DatabaseList' })

const toDatabase = (database: Shape): Discovered =>
  toContainerItem(nameKey(database.text('Name')), {
    ...{ entity_type: 'database', native_type: 'database', title: database.text('Name') },
    description: database.optionalText('Description') ?? '',
    facts: { location: database.optionalText('LocationUri') },
  })

async function* readTables(
  client: AwsClient,
  settings: GlueSettings,
  database: string,
  includes: (table: string) => boolean,
): AsyncGenerator<Discovered[], void> {
  const body = { ...inCatalog(settings), DatabaseName: database, MaxResults: PAGE_SIZE }
  try {
    for await (const table of listPages(client, 'GetTables', body, { next: NEXT, items: 'TableList' }))
      if (includes(table.text('Name'))) yield toItems(database, table)
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'ExpiredTokenException') throw error
    if (error.code === 'EntityNotFoundException') return // deleted after it was listed
    if (!/AccessDenied/.test(error.code)) throw error
    yield [{ type: 'unlisted', key: nameKey(database), reason: `${error.message} What is known of ${database} stays as it is.` }]
  }
}

const toItems = (database: string, table: Shape): Discovered[] => {
  const name = table.text('Name')
  const storage = table.optionalObject('StorageDescriptor')
  const parameters = table.optionalObject('Parameters')
  const keys = table.optionalList('PartitionKeys')
  const updated = table.at('UpdateTime').value
  return toTableItems(nameKey(database, name), {
    native_type: toKind(table.optionalText('TableType'), parameters?.optionalText('table_type')),
    title: name,
    parent: nameKey(database),
    description: table.optionalText('Description') ?? parameters?.optionalText('comment') ?? '',
    fields: [...(storage?.optionalList('Columns') ?? []).map((column) => toField(column)), ...keys.map((key) => toField(key, true))],
    ...(typeof updated === 'number' ? { updated_at: new Date(updated * 1000).toISOString() } : {}),
    row_count: readStatistic(parameters, ['recordCount', 'numRows']),
    byte_size: readStatistic(parameters, ['sizeKey', 'totalSize']),
    ...(table.optionalText('Owner') ? { owners: [table.text('Owner')] } : {}),
    facts: {
      location: storage?.optionalText('Location'),
      format: parameters?.optionalText('classification') ?? parameters?.optionalText('spark.sql.sources.provider'),
      serde: storage?.optionalObject('SerdeInfo')?.optionalText('SerializationLibrary'),
      partitioned_by: keys.map((key) => key.text('Name')),
    },
    query: readViewQuery(database, table.optionalText('ViewOriginalText'), { presto: 'athena', other: 'databricks' }),
  })
}

const toKind = (type = 'table', format?: string): string =>
  /VIEW/i.test(type)
    ? 'view'
    : format && /^(iceberg|hudi|delta)$/i.test(format)
      ? `${format.toLowerCase()} table`
      : type.toLowerCase().replaceAll('_', ' ')

const toField = (column: Shape, isPartition = false): SchemaField => {
  const type = column.optionalText('Type') ?? 'unknown'
  const children = readTypeFields(type)
  return {
    ...{ name: column.text('Name'), type, description: column.optionalText('Comment') ?? '' },
    ...(isPartition ? { facts: { partition_key: true } } : {}),
    ...(children.length > 0 ? { children } : {}),
  }
}
