import { sql } from 'kysely'
import type { TableRow } from '../../lineage/queries/catalog.ts'
import { type ResolvedNames, resolveTables } from '../../lineage/queries/resolve-tables.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Dataset } from './event.ts'
import { parseDatasetName, schemeToDialect } from './names.ts'

/** Datasets that another source has reported, by the dataset name that `nameOf` returns. */
export interface ResolvedDatasets {
  readonly tables: ReadonlyMap<string, TableRow>
  /** Before the first use of `column`. */
  loadColumns(ctx: Context): Promise<void>
  column(table: TableRow, name: string): { readonly id: string } | undefined
}

export const datasetName = ({ namespace, name }: Pick<Dataset, 'namespace' | 'name'>): string => `${namespace}\0${name}`

/**
 * Finds the datasets that are already in the catalog and visible to the caller. The namespace names the server: if an integration connects to it,
 * the dataset is one of its tables or unknown; integrations of other servers are excluded. A dataset may have several names (symlinks): the first
 * match counts. If several tables match, none is used.
 */
export const resolveDatasets = async (ctx: Context, datasets: readonly Dataset[], ownIntegration: string): Promise<ResolvedDatasets> => {
  const named = datasets.map((dataset) => ({ dataset, names: [dataset, ...findSymlinks(dataset)].map((each) => parseDatasetName(each)) }))
  const tables = new Map<string, TableRow>()
  const bindings: ResolvedNames[] = []
  const qualified = named.flatMap(({ names }) => names.filter(({ parts }) => parts.length > 1))
  if (qualified.length === 0) return { tables, loadColumns: async () => {}, column: () => undefined }
  const servers = await findIntegrationServers(ctx)
  for (const [scheme, parsedNames] of Map.groupBy(qualified, ({ scheme }) => scheme)) {
    const scope = { without: ownIntegration }
    const binding = await resolveTables(
      ctx,
      parsedNames.map(({ parts }) => parts),
      schemeToDialect(scheme),
      scope,
    )
    bindings.push(binding)
    for (const { dataset, names } of named)
      for (const parsedName of names) {
        if (parsedName.scheme !== scheme || parsedName.parts.length < 2 || tables.has(datasetName(dataset))) continue
        const { table, candidates } = binding.get(parsedName.parts)
        const fitting = (table ? [table] : candidates).filter(
          (each) => isSameTableName(parsedName.parts, each) && mayBelongTo(servers, each, parsedName),
        )
        const onSameServer = fitting.filter(({ integration }) => isSameServer(servers.get(integration ?? ''), parsedName))
        const [found, ...others] = onSameServer.length > 0 ? onSameServer : fitting
        if (found && others.length === 0) tables.set(datasetName(dataset), found)
      }
  }
  return {
    tables,
    loadColumns: async (ctx) => {
      if (tables.size > 0) for (const binding of bindings) await binding.loadColumns(ctx)
    },
    column: (table, name) => {
      for (const binding of bindings) {
        const column = binding.column(table, name)
        if (column) return column
      }
      return undefined
    },
  }
}

type DatasetNames = Pick<Dataset, 'namespace' | 'name'>

const findSymlinks = ({ facets }: Dataset): DatasetNames[] => {
  const { identifiers } = facets.symlinks ?? {}
  if (!Array.isArray(identifiers)) return []
  return identifiers
    .slice(0, MAX_SYMLINKS)
    .filter((each): each is DatasetNames => typeof each?.namespace === 'string' && typeof each?.name === 'string')
}
const MAX_SYMLINKS = 10

/** The complete name must match: a part of it could belong to any server. */
const isSameTableName = (parts: readonly string[], { database, schema, title }: TableRow): boolean => {
  const tableParts = [database, schema, title].flatMap((part) => part?.toLowerCase() ?? [])
  const nameParts = parts.map((part) => part.toLowerCase())
  return tableParts.length >= 2 && nameParts.length >= 2 && (endsWith(tableParts, nameParts) || endsWith(nameParts, tableParts))
}
const endsWith = (all: readonly string[], end: readonly string[]): boolean =>
  end.length <= all.length && end.every((part, i) => part === all[all.length - end.length + i])

interface IntegrationServer {
  readonly type: string
  readonly host: string | null
  readonly port: number | null
}

type ParsedDatasetName = ReturnType<typeof parseDatasetName>

const SCHEME_TYPES: Readonly<Record<string, readonly string[]>> = {
  postgres: ['postgres', 'redshift'],
  postgresql: ['postgres', 'redshift'],
  redshift: ['redshift', 'postgres'],
  mariadb: ['mysql'],
  presto: ['trino'],
}
const HOSTLESS_SCHEMES = ['bigquery', 'snowflake', 'duckdb', 'sqlite'] // not identified by host and port
const DEFAULT_PORTS: Readonly<Record<string, number>> = { postgres: 5432, redshift: 5439, mysql: 3306, clickhouse: 8123, trino: 8080 }

const isSameServer = (server: IntegrationServer | undefined, { host, port }: ParsedDatasetName): boolean =>
  server?.host != null && server.host === host && (port === null || (server.port ?? DEFAULT_PORTS[server.type]) === port)

/** Tables of push integrations, whose server is unknown, may be on any server. */
const mayBelongTo = (
  servers: ReadonlyMap<string, IntegrationServer>,
  { integration }: TableRow,
  parsedName: ParsedDatasetName,
): boolean => {
  const server = servers.get(integration ?? '')
  if (!server) return true
  const fits = (SCHEME_TYPES[parsedName.scheme] ?? [parsedName.scheme]).includes(server.type)
  if (HOSTLESS_SCHEMES.includes(parsedName.scheme)) return fits
  return fits && isSameServer(server, parsedName)
}

/** The servers of integrations that connect by host and port, or are of a type without them. */
const findIntegrationServers = async (ctx: Context): Promise<Map<string, IntegrationServer>> => {
  const { rows } = await sql<IntegrationServer & { id: string }>`
    select i.id, i.type, lower(i.connection ->> 'host') as host, (i.connection ->> 'port')::int as port
    from integrations i where i.connection is not null and i.type not in ('dbt', 'custom', 'openlineage')
  `.execute(ctx.db)
  return new Map(rows.map(({ id, ...server }) => [id, server]))
}
