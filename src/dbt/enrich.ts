import type { Context } from '../context.ts'
import { type Offer, putOffers, withdrawOffers } from '../sync/offer.ts'
import { factsOf, type Names, saidOf } from './items.ts'
import type { Meeting } from './meet.ts'
import type { DbtTable, DbtTest, Project } from './project.ts'

/** Applies what a project reports about tables and columns of other sources. Returns how many were updated. */
export const enrichTables = async (
  ctx: Context,
  integration: string,
  project: Project,
  meeting: Meeting,
  names: Names,
): Promise<number> => {
  const offers = new Map<string, Offer>()
  const tests = Map.groupBy(project.tests, (test) => test.tests ?? '')
  for (const table of project.tables) {
    const found = meeting.met.get(table.unique_id)
    // A source of the project may be a model of the same project: the model comes first and takes precedence.
    if (!found || offers.has(found.id)) continue
    offers.set(found.id, {
      resource_id: found.id,
      fields: wordsOf(table, names),
      facts: { ...factsOf(table), ...testFacts(tests.get(table.unique_id) ?? []) },
    })
    for (const column of table.columns) {
      const row = meeting.columns.column(found, column.name)
      if (row && (column.description || column.tags.length > 0) && !offers.has(row.id))
        offers.set(row.id, { resource_id: row.id, fields: wordsOf(column, names) })
    }
  }
  const said = await putOffers(ctx, integration, 'dbt', [...offers.values()])
  await withdrawOffers(ctx, integration, 'dbt', [...offers.keys()])
  return said
}

const wordsOf = (node: Pick<DbtTable, 'description' | 'tags'> & { owners?: readonly string[] }, names: Names): Offer['fields'] => {
  const { tags, owners } = saidOf(node, names)
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
