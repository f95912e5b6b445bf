import type { Context } from '../../platform/context/context.ts'
import { findDialect, type Statement } from '../../sql/index.ts'
import { findNewestShards, findPartitionNames, findTablesByTitle, type TableRow } from './catalog.ts'
import { toNameKey } from './parse-sql.ts'
import { findShardPrefix, isPartitionOf, listParentTitles, removeDecorator } from './partition-names.ts'
import { chooseTable, type QueryScope, type ResolvedNames, type ResolvedTable, resolveTables } from './resolve-tables.ts'

type Name = readonly string[]

/** Resolves the names of a query. A single partition that is not in the catalog is resolved to its table. */
export const resolveQueryTables = async (
  ctx: Context,
  names: readonly Name[],
  statements: readonly Statement[],
  dialect: string,
  scope: QueryScope,
): Promise<ResolvedNames> => {
  const binding = await resolveTables(ctx, names, dialect, scope)
  const created = new Set(
    statements.flatMap(({ kind, targets }) => (kind.startsWith('create') ? targets.map(({ name }) => toNameKey(name)) : [])),
  )
  const missing = names.filter((name) => binding.get(name).reason === 'not_in_catalog' && !created.has(toNameKey(name)))
  const resolve = RESOLVERS[findDialect(dialect)?.name ?? '']
  if (missing.length > 0 && resolve)
    for (const resolved of await resolve(ctx, missing, dialect, scope)) if (resolved.table) binding.add(resolved)
  return binding
}

type Resolver = (ctx: Context, names: readonly Name[], dialect: string, scope: QueryScope) => Promise<ResolvedTable[]>

const withTitle = (name: Name, title: string): Name => [...name.slice(0, -1), title]

const groupByTitle = (rows: readonly TableRow[]) => Map.groupBy(rows, ({ title }) => title.toLowerCase())

/** Partitions of Postgres are tables with names of their own, below their partitioned table. */
const resolvePostgresPartitions: Resolver = async (ctx, names, dialect, scope) => {
  const titles = new Set(names.flatMap((name) => listParentTitles(name.at(-1)!)))
  const rows = await findTablesByTitle(ctx, [...titles])
  const partitions = await findPartitionNames(
    ctx,
    rows.map(({ id }) => id),
  )
  const byTitle = groupByTitle(rows.filter(({ id }) => partitions.has(id)))
  return names.map((name) => {
    const child = name.at(-1)!
    for (const title of listParentTitles(child)) {
      const parents = (byTitle.get(title.toLowerCase()) ?? []).filter((row) =>
        isPartitionOf(child, { title: row.title, partitions: partitions.get(row.id)! }),
      )
      const { table } = chooseTable(withTitle(name, title), parents, dialect, scope)
      if (table) return { name, table, candidates: [] }
    }
    return { name, candidates: [] }
  })
}

/**
 * BigQuery: decorators name a partition. A table for each day is in the catalog either as these tables, of which the newest stands for all (BigQuery
 * takes the columns of a wildcard from it), or as one table for all of them.
 */
const resolveBigQueryPartitions: Resolver = async (ctx, names, dialect, scope) => {
  const resolved: ResolvedTable[] = []
  for (const name of names) {
    const title = name.at(-1)!
    const parent = removeDecorator(title)
    const prefix = findShardPrefix(parent ?? title)
    const shards = prefix ? await findNewestShards(ctx, prefix, name.at(-2) ?? scope.schema ?? null) : []
    const titles = [
      ...(parent ? [parent] : []),
      ...(title.endsWith('*') ? new Set(shards.map((row) => row.title)) : []),
      ...(prefix && shards.length === 0 ? [`${prefix}*`, prefix, prefix.replace(/_$/, '')] : []),
    ]
    const byTitle = groupByTitle([...shards, ...(await findTablesByTitle(ctx, titles))])
    const found = titles.map((each) => chooseTable(withTitle(name, each), uniqueRows(byTitle.get(each.toLowerCase())), dialect, scope))
    resolved.push({ name, table: found.find(({ table }) => table)?.table, candidates: [] })
  }
  return resolved
}

const uniqueRows = (rows: readonly TableRow[] = []): TableRow[] => [...new Map(rows.map((row) => [row.id, row])).values()]

const RESOLVERS: Readonly<Record<string, Resolver>> = { postgres: resolvePostgresPartitions, bigquery: resolveBigQueryPartitions }
