import type { TableRow } from '../../lineage/queries/catalog.ts'
import { type ResolvedNames, resolveTables } from '../../lineage/queries/resolve-tables.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Dataset } from './event.ts'
import { findIntegrationServers, isSameServer, mayBelongTo } from './integration-servers.ts'
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
          (each) => isSameTableName(parsedName.parts, each) && mayBelongTo(servers.get(each.integration ?? ''), parsedName),
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
