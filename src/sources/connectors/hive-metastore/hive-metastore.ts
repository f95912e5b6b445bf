import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { nameDatabase, type TableRows, toDatabase, toTable } from '../hive/hive-items.ts'
import { HIVE_GRANTS, HIVE_SETTINGS, type HiveSettings } from '../hive/hive-settings.ts'
import * as catalog from '../hive/metastore-sql.ts'
import { compilePatterns } from '../patterns/name-patterns.ts'
import { type MetastoreConnection, openMetastore } from './metastore-connection.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const PAGE_TABLES = 500

/** In a folder of its own: the settings are part of the list of types, on which the connections to databases depend. */
export const hive = defineConnector<HiveSettings>({
  name: 'hive',
  label: 'Hive metastore',
  version: '1.0.0',
  settings: HIVE_SETTINGS,
  grants: HIVE_GRANTS,

  test: async ({ settings }) => {
    await using connection = await openMetastore(settings, TEST_MS)
    await readFeatures(connection, settings)
    const [version] = await connection.query<{ version: string }>(catalog.versionSql(connection.at))
    const [counted] = await connection.query<{ databases: number; tables: number }>(catalog.countSql(connection.at))
    return `Hive metastore ${version?.version ?? ''} in ${connection.system}: ${counted!.tables} tables and views in ${counted!.databases} databases.`
  },

  async *discover(context) {
    await using connection = await openMetastore(context.settings, DISCOVER_MS)
    const features = await readFeatures(connection, context.settings)
    if (!features.hasKeys) await context.log('The metastore has no keys that can be read: primary and foreign keys are left out.')
    const databases = await connection.query<catalog.DatabaseRow>(catalog.databasesSql(connection.at, features.hasCatalogs))
    for (const [done, database] of databases.entries()) {
      yield* readDatabase(connection, features, database, context)
      await context.progress(done + 1, databases.length)
    }
  },
})

interface Features {
  readonly hasCatalogs: boolean
  readonly hasKeys: boolean
}

/** A table or column that is missing is named: otherwise a metastore that changed would look like an empty one. */
const readFeatures = async ({ at, query }: MetastoreConnection, { database }: HiveSettings): Promise<Features> => {
  const rows = await query<catalog.FeatureRow>(catalog.featuresSql(at))
  const found = new Set(rows.map(({ table_name, column_name }) => `${table_name}.${column_name}`.toUpperCase()))
  const tables = new Set(rows.map(({ table_name }) => table_name.toUpperCase()))
  for (const [table, columns] of Object.entries(catalog.REQUIRED)) {
    const where = at.engine === 'postgres' ? `The schema ${at.schema} of ${database}` : `The database ${database}`
    if (!tables.has(table)) throw new Error(`${where} has no table ${table} that this user may read. Is it that of a Hive metastore?`)
    const missing = columns.find((column) => !found.has(`${table}.${column}`))
    if (missing) throw new Error(`The table ${table} of the metastore has no column ${missing}. This version of Hive is not supported.`)
  }
  return { hasCatalogs: found.has('DBS.CTLG_NAME'), hasKeys: found.has('KEY_CONSTRAINTS.CONSTRAINT_TYPE') }
}

async function* readDatabase(
  connection: MetastoreConnection,
  features: Features,
  row: catalog.DatabaseRow,
  { settings }: RunContext<HiveSettings>,
): AsyncGenerator<Discovered, void> {
  const patterns = compilePatterns(settings.include, settings.exclude)
  const database = nameDatabase(row)
  yield toDatabase(row)
  for (let after = -1; ; ) {
    const page = await connection.query<catalog.TableRow>(catalog.tablesSql(connection.at, row.id, after, PAGE_TABLES))
    const included = page.filter(({ name, type }) => type !== 'INDEX_TABLE' && patterns.matches(database, name))
    const details = await loadDetails(connection, features, included)
    for (const table of included) yield* toTable(database, table, details(Number(table.id)))
    if (page.length < PAGE_TABLES) return
    after = Number(page.at(-1)!.id)
  }
}

/** Everything about the tables of a page, with one statement for each kind. */
const loadDetails = async (
  { at, query }: MetastoreConnection,
  { hasKeys }: Features,
  tables: readonly catalog.TableRow[],
): Promise<(id: number) => TableRows> => {
  const ids = tables.map(({ id }) => id)
  const load = async <T extends { readonly table_id: number }>(sql: string): Promise<(id: number) => readonly T[]> => {
    const rows = ids.length === 0 ? [] : await query<T>(sql)
    const byTable = Map.groupBy(rows, ({ table_id }) => Number(table_id))
    return (id) => byTable.get(id) ?? []
  }
  const columns = await load<catalog.ColumnRow>(catalog.columnsSql(at, ids))
  const partitions = await load<catalog.ColumnRow>(catalog.partitionKeysSql(at, ids))
  const parameters = await load<catalog.ParameterRow>(catalog.parametersSql(at, ids))
  const keys = hasKeys ? await load<catalog.KeyRow>(catalog.keysSql(at, ids)) : () => []
  return (id) => ({
    columns: columns(id),
    partitions: partitions(id),
    parameters: new Map(parameters(id).map(({ name, value }) => [name, value ?? ''])),
    keys: keys(id),
  })
}
