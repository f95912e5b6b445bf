import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { DatasetPath } from './names.ts'

/** Which integration connects to the server that a dataset's namespace names. */
export interface IntegrationServer {
  readonly type: string
  readonly host: string | null
  readonly port: number | null
}

const UNITY_CATALOG_TYPES = ['unity_catalog', 'databricks']

/** Types of integrations that read the tables of a system. */
const SCHEME_TYPES: Readonly<Record<string, readonly string[]>> = {
  postgres: ['postgres', 'redshift'],
  postgresql: ['postgres', 'redshift'],
  redshift: ['redshift', 'postgres'],
  mariadb: ['mysql'],
  presto: ['trino'],
  databricks: UNITY_CATALOG_TYPES,
  unitycatalog: UNITY_CATALOG_TYPES,
  'unity-catalog': UNITY_CATALOG_TYPES,
}
/** Not identified by host and port. Events name the service of a Hive metastore, the integration connects to its database. */
const HOSTLESS_SCHEMES = ['bigquery', 'snowflake', 'duckdb', 'sqlite', 'hive']
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  ...{ postgres: 5432, redshift: 5439, mysql: 3306, clickhouse: 8123, trino: 8080, databricks: 443 },
}

export const isSameServer = (server: IntegrationServer | undefined, { host, port }: DatasetPath): boolean =>
  server?.host != null && server.host === host && (port === null || (server.port ?? DEFAULT_PORTS[server.type]) === port)

/** Tables of push integrations, whose server is unknown, may be on any server. */
export const mayBelongTo = (server: IntegrationServer | undefined, name: DatasetPath): boolean => {
  if (!server) return true
  if (!(SCHEME_TYPES[name.scheme] ?? [name.scheme]).includes(server.type)) return false
  // Some clients name Databricks without the workspace.
  const isHostless = HOSTLESS_SCHEMES.includes(name.scheme) || (name.host === null && UNITY_CATALOG_TYPES.includes(server.type))
  return isHostless || isSameServer(server, name)
}

/** The servers of integrations that connect by host and port or by URL, or are of a type without them. */
export const findIntegrationServers = async (ctx: Context): Promise<Map<string, IntegrationServer>> => {
  const { rows } = await sql<IntegrationServer & { id: string; url: string | null }>`
    select i.id, i.type, lower(i.connection ->> 'host') as host, (i.connection ->> 'port')::int as port, i.connection ->> 'url' as url
    from integrations i where i.connection is not null and i.type not in ('dbt', 'custom', 'openlineage')
  `.execute(ctx.db)
  return new Map(
    rows.map(({ id, url, ...server }) => [id, server.host === null && url !== null ? { ...server, ...parseUrl(url) } : server]),
  )
}

const parseUrl = (text: string): Pick<IntegrationServer, 'host' | 'port'> => {
  const url = URL.parse(text)
  if (!url?.hostname) return { host: null, port: null }
  return { host: url.hostname, port: Number(url.port) || (url.protocol === 'http:' ? 80 : 443) }
}
