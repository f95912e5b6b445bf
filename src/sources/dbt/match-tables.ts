import type { TableRow } from '../../lineage/queries/catalog.ts'
import { isSameTable, type ResolvedNames, resolveTables } from '../../lineage/queries/resolve-tables.ts'
import type { Context } from '../../platform/context/context.ts'
import type { DbtTable, Project } from './project.ts'

/** Tables of a project that another source has already reported: they are enriched instead of being created again. */
export interface TableMatches {
  /** By unique ID. */
  readonly matched: ReadonlyMap<string, TableRow>
  /** The columns of matched tables, by name. */
  readonly columns: ResolvedNames
  /** Number of tables that exist in several sources, so that none can be chosen. */
  readonly ambiguous: number
}

/** `warehouse`: the integration the project builds in, if set. */
export const matchTables = async (
  ctx: Context,
  { tables, dialect }: Project,
  integration: string,
  warehouse?: string,
): Promise<TableMatches> => {
  const named = tables.flatMap((table) => (table.relation ? [{ table, relation: table.relation }] : []))
  const scope = { without: integration, integration: warehouse ?? null }
  const columns = await resolveTables(
    ctx,
    named.map(({ relation }) => relation),
    dialect,
    scope,
  )
  let ambiguous = 0
  const matched = new Map<string, TableRow>()
  for (const { table, relation } of named) {
    const { table: found, reason } = columns.get(relation)
    if (reason === 'ambiguous') ambiguous += 1
    if (found && isSameTable(relation, found) && (!warehouse || found.integration === warehouse)) matched.set(table.unique_id, found)
  }
  await columns.loadColumns(ctx)
  return { matched, columns, ambiguous }
}

/** The upstream tables of nodes, resolved through ephemeral models. */
export const findUpstreamTables = (project: Project): ((unique_ids: readonly string[]) => Set<string>) => {
  const tables = new Map<string, DbtTable>(project.tables.map((table) => [table.unique_id, table]))
  const others = new Map(project.uses.map((use) => [use.unique_id, use]))
  return (unique_ids) => {
    const found = new Set<string>()
    const seen = new Set<string>()
    const queue = [...unique_ids]
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      const table = tables.get(at)
      if (table?.relation) found.add(at)
      else if (others.has(at)) found.add(at)
      else queue.push(...(table?.depends_on ?? []))
    }
    return found
  }
}
