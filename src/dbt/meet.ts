import type { Context } from '../context.ts'
import { type Binding, bindTables } from '../lineage/bind.ts'
import type { TableRow } from '../lineage/catalog.ts'
import type { DbtTable, Project } from './project.ts'

/** Which tables of a project another source has told of already: these are enriched, and not told a second time. */
export interface Meeting {
  /** By unique ID. */
  readonly met: ReadonlyMap<string, TableRow>
  /** The columns of those that were met, by name. */
  readonly columns: Binding
  /** Several sources have a table of this name: nobody can say which of them it is. */
  readonly ambiguous: number
}

/** `warehouse`: the integration in which the project builds, where somebody said. */
export const meetTables = async (ctx: Context, { tables, dialect }: Project, integration: string, warehouse?: string): Promise<Meeting> => {
  const named = tables.flatMap((table) => (table.relation ? [{ table, relation: table.relation }] : []))
  const home = { without: integration, integration: warehouse ?? null }
  const columns = await bindTables(
    ctx,
    named.map(({ relation }) => relation),
    dialect,
    home,
  )
  let ambiguous = 0
  const met = new Map<string, TableRow>()
  for (const { table, relation } of named) {
    const { table: found, reason } = columns.of(relation)
    if (reason === 'ambiguous') ambiguous += 1
    if (found && isSame(relation, found) && (!warehouse || found.integration === warehouse)) met.set(table.unique_id, found)
  }
  await columns.learnColumns(ctx)
  return { met, columns, ambiguous }
}

/** A table of that name alone is not enough: schema and database must fit as far as both sides know them, and one of them must be known. */
const isSame = (relation: readonly string[], { database, schema, title }: TableRow): boolean => {
  const there = [database, schema, title].flatMap((part) => part?.toLowerCase() ?? []).reverse()
  const wanted = relation.map((part) => part.toLowerCase()).reverse()
  const both = Math.min(there.length, wanted.length)
  return both >= 2 && wanted.slice(0, both).every((part, i) => part === there[i])
}

/** The tables each of these is made from: through ephemeral models, which are none. */
export const upstreamOf = (project: Project): ((unique_ids: readonly string[]) => Set<string>) => {
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
