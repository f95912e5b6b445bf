import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { type Binding, bindTables } from '../lineage/bind.ts'
import type { TableRow } from '../lineage/catalog.ts'
import type { Dataset } from './event.ts'
import { dialectOf, placeOf } from './names.ts'

/** Datasets that another source has reported, by the dataset name that `nameOf` returns. */
export interface Bound {
  readonly tables: ReadonlyMap<string, TableRow>
  column(table: TableRow, name: string): { readonly id: string } | undefined
}

export const nameOf = ({ namespace, name }: Pick<Dataset, 'namespace' | 'name'>): string => `${namespace}\0${name}`

/**
 * Finds the datasets that are already in the catalog and visible to the caller. The namespace names the server: if an integration connects to it,
 * the dataset is one of its tables or unknown; integrations of other servers are excluded. A dataset may have several names (symlinks): the first
 * match counts. If several tables match, none is used.
 */
export const bindDatasets = async (ctx: Context, datasets: readonly Dataset[], own: string): Promise<Bound> => {
  const named = datasets.map((dataset) => ({ dataset, names: [dataset, ...linksOf(dataset)].map((each) => placeOf(each)) }))
  const tables = new Map<string, TableRow>()
  const bindings: Binding[] = []
  const wanted = named.flatMap(({ names }) => names.filter(({ parts }) => parts.length > 1))
  if (wanted.length === 0) return { tables, column: () => undefined }
  const servers = await findServers(ctx)
  for (const [scheme, places] of Map.groupBy(wanted, ({ scheme }) => scheme)) {
    const home = { without: own }
    const binding = await bindTables(
      ctx,
      places.map(({ parts }) => parts),
      dialectOf(scheme),
      home,
    )
    bindings.push(binding)
    for (const { dataset, names } of named)
      for (const place of names) {
        if (place.scheme !== scheme || place.parts.length < 2 || tables.has(nameOf(dataset))) continue
        const { table, candidates } = binding.of(place.parts)
        const fitting = (table ? [table] : candidates).filter((each) => isWhole(place.parts, each) && mayStand(servers, each, place))
        const known = fitting.filter(({ integration }) => isServer(servers.get(integration ?? ''), place))
        const [found, ...others] = known.length > 0 ? known : fitting
        if (found && others.length === 0) tables.set(nameOf(dataset), found)
      }
  }
  if (tables.size > 0) for (const binding of bindings) await binding.learnColumns(ctx)
  return {
    tables,
    column: (table, name) => {
      for (const binding of bindings) {
        const column = binding.column(table, name)
        if (column) return column
      }
      return undefined
    },
  }
}

type Names = Pick<Dataset, 'namespace' | 'name'>

const linksOf = ({ facets }: Dataset): Names[] => {
  const { identifiers } = facets.symlinks ?? {}
  if (!Array.isArray(identifiers)) return []
  return identifiers
    .slice(0, MOST_LINKS)
    .filter((each): each is Names => typeof each?.namespace === 'string' && typeof each?.name === 'string')
}
const MOST_LINKS = 10

/** The complete name must match: a part of it could belong to any server. */
const isWhole = (parts: readonly string[], { database, schema, title }: TableRow): boolean => {
  const there = [database, schema, title].flatMap((part) => part?.toLowerCase() ?? [])
  const here = parts.map((part) => part.toLowerCase())
  return there.length >= 2 && here.length >= 2 && (endsWith(there, here) || endsWith(here, there))
}
const endsWith = (all: readonly string[], end: readonly string[]): boolean =>
  end.length <= all.length && end.every((part, i) => part === all[all.length - end.length + i])

interface Server {
  readonly type: string
  readonly host: string | null
  readonly port: number | null
}

type Place = ReturnType<typeof placeOf>

const TYPES: Readonly<Record<string, readonly string[]>> = {
  postgres: ['postgres', 'redshift'],
  postgresql: ['postgres', 'redshift'],
  redshift: ['redshift', 'postgres'],
  mariadb: ['mysql'],
  presto: ['trino'],
}
const HOSTLESS = ['bigquery', 'snowflake', 'duckdb', 'sqlite'] // not identified by host and port
const USUAL_PORTS: Readonly<Record<string, number>> = { postgres: 5432, redshift: 5439, mysql: 3306, clickhouse: 8123, trino: 8080 }

const isServer = (server: Server | undefined, { host, port }: Place): boolean =>
  server?.host != null && server.host === host && (port === null || (server.port ?? USUAL_PORTS[server.type]) === port)

/** Tables of push integrations, whose server is unknown, may be on any server. */
const mayStand = (servers: ReadonlyMap<string, Server>, { integration }: TableRow, place: Place): boolean => {
  const server = servers.get(integration ?? '')
  if (!server) return true
  const fits = (TYPES[place.scheme] ?? [place.scheme]).includes(server.type)
  if (HOSTLESS.includes(place.scheme)) return fits
  return fits && isServer(server, place)
}

/** The servers of integrations that connect by host and port, or are of a type without them. */
const findServers = async (ctx: Context): Promise<Map<string, Server>> => {
  const { rows } = await sql<Server & { id: string }>`
    select i.id, i.type, lower(i.connection ->> 'host') as host, (i.connection ->> 'port')::int as port
    from integrations i where i.connection is not null and i.type not in ('dbt', 'custom', 'openlineage')
  `.execute(ctx.db)
  return new Map(rows.map(({ id, ...server }) => [id, server]))
}
