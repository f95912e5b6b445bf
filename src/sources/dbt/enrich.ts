import type { Context } from '../../platform/context/context.ts'
import { applyFieldSuggestions, type FieldSuggestion, withdrawFieldSuggestions } from '../sync/field-suggestions.ts'
import { type CatalogNames, resolveTagsAndOwners, toTableFacts } from './items.ts'
import type { TableMatches } from './match-tables.ts'
import type { DbtTable, DbtTest, Project } from './project.ts'

/** Applies what a project reports about tables and columns of other sources. Returns how many were updated. */
export const enrichTables = async (
  ctx: Context,
  integration: string,
  project: Project,
  matches: TableMatches,
  names: CatalogNames,
): Promise<number> => {
  const suggestions = new Map<string, FieldSuggestion>()
  const tests = Map.groupBy(project.tests, (test) => test.tests ?? '')
  for (const table of project.tables) {
    const found = matches.matched.get(table.unique_id)
    // A source of the project may be a model of the same project: the model comes first and takes precedence.
    if (!found || suggestions.has(found.id)) continue
    suggestions.set(found.id, {
      resource_id: found.id,
      fields: toSuggestedFields(table, names),
      facts: { ...toTableFacts(table), ...testFacts(tests.get(table.unique_id) ?? []) },
    })
    for (const column of table.columns) {
      const row = matches.columns.column(found, column.name)
      if (row && (column.description || column.tags.length > 0) && !suggestions.has(row.id))
        suggestions.set(row.id, { resource_id: row.id, fields: toSuggestedFields(column, names) })
    }
  }
  const updated = await applyFieldSuggestions(ctx, integration, 'dbt', [...suggestions.values()])
  await withdrawFieldSuggestions(ctx, integration, 'dbt', [...suggestions.keys()])
  return updated
}

const toSuggestedFields = (
  node: Pick<DbtTable, 'description' | 'tags'> & { owners?: readonly string[] },
  names: CatalogNames,
): FieldSuggestion['fields'] => {
  const { tags, owners } = resolveTagsAndOwners(node, names)
  return { description: node.description, tags, ...(node.owners ? { owners } : {}) }
}

const testFacts = (tests: readonly DbtTest[]): object =>
  tests.length === 0
    ? {}
    : {
        tests: tests.map(({ unique_id, name, column, result }) => ({
          unique_id,
          name,
          ...(column ? { column } : {}),
          ...(result ? { status: result.status, failures: result.failures, executed_at: result.executed_at } : {}),
        })),
      }
