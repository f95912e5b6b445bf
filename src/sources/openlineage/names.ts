import { buildItemKey } from '../sync/item.ts'
import type { Dataset, JobName } from './event.ts'

/** Maps names of the OpenLineage standard to names of the catalog. Pure. */
export interface DatasetPath {
  /** The type of system: the scheme of the namespace, or the namespace itself if it has none. */
  readonly scheme: string
  readonly host: string | null
  readonly port: number | null
  /** Database, schema and table for a table of a database, else its single name. */
  readonly parts: readonly string[]
}

/** Systems whose datasets are tables, with the maximum number of parts in a name. */
const TABLE_SYSTEMS: Readonly<Record<string, number>> = {
  postgres: 3,
  postgresql: 3,
  redshift: 3,
  mysql: 2,
  mariadb: 2,
  snowflake: 3,
  bigquery: 3,
  trino: 3,
  presto: 3,
  databricks: 3,
  unitycatalog: 3,
  'unity-catalog': 3,
  mssql: 3,
  sqlserver: 3,
  oracle: 3,
  clickhouse: 2,
  hive: 2,
  awsathena: 3,
  duckdb: 3,
  sqlite: 2,
  teradata: 2,
  db2: 3,
  crate: 3,
  synapse: 3,
  awsglue: 2,
}

export const parseDatasetName = ({ namespace, name }: Pick<Dataset, 'namespace' | 'name'>): DatasetPath => {
  const [, scheme = namespace, host = null, port = null] = /^([\w.+-]+):\/\/(?:[^@/]*@)?([^:/]*)(?::(\d+))?/.exec(namespace) ?? []
  const maxParts = TABLE_SYSTEMS[scheme.toLowerCase()]
  const parts = name.split('.')
  const isTable = maxParts !== undefined && parts.length <= maxParts && parts.every((part) => part !== '')
  return {
    scheme: scheme.toLowerCase(),
    host: host ? host.toLowerCase() : null,
    port: port ? Number(port) : null,
    parts: isTable ? parts : [name],
  }
}

/** The dialect of a system's names. */
const SCHEME_DIALECTS: ReadonlyMap<string, string> = new Map([
  ['postgresql', 'postgres'],
  ['mssql', 'tsql'],
  ['sqlserver', 'tsql'],
  ['awsathena', 'athena'],
  ['synapse', 'tsql'],
  ['unitycatalog', 'databricks'],
  ['unity-catalog', 'databricks'],
])
export const schemeToDialect = (scheme: string): string => SCHEME_DIALECTS.get(scheme) ?? scheme

/** Cannot clash with datasets, because no dataset has an empty namespace. */
export const groupKey = (namespace: string): string => buildItemKey('', 'namespace', namespace)
export const jobKey = ({ namespace, name }: JobName): string => buildItemKey('', 'job', namespace, name)
export const runKey = (id: string): string => buildItemKey('', 'run', id)
export const datasetKey = (namespace: string, ...parts: readonly string[]): string => buildItemKey(namespace, ...parts)
