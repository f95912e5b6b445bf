import { markName, type QueryDatabase, quoteName } from '../bi/item-parts.ts'
import { type Explore, traceField } from './looker-explore.ts'
import type { LookmlField, LookmlView } from './lookml-view.ts'

/** SQL of views that are derived from SQL, and columns of those that are tables. Pure. */

const MAX_SQL = 300_000

/** The views of a model by name. */
export type ModelViews = ReadonlyMap<string, LookmlView>
export type Traced = Pick<Explore, 'fields' | 'tables'>

/** All fields of a model, by view and name, for the references between them. */
export const toTraced = (views: ModelViews): Traced => ({
  // A view without a table of its own is known, too: its columns have no other name.
  tables: new Map([...views.values()].map(({ name, source }) => [name, source?.kind === 'table' ? source.path : []])),
  fields: new Map(
    [...views.values()].flatMap(({ name: view, fields }) =>
      [...fields.values()].flatMap(({ name, kind, sql, members }) =>
        [name, ...members.map((member) => member.name)].map(
          (each) => [`${view}.${each}`, { name: `${view}.${each}`, view, kind, sql }] as const,
        ),
      ),
    ),
  ),
})

export interface FieldOfView {
  readonly field: LookmlField
  readonly traced: Traced
}

/** A query with a column for each field, as Looker would write it; undefined if it refers to what has no SQL. */
export const buildViewSql = (
  view: LookmlView,
  views: ModelViews,
  fields: readonly FieldOfView[],
  { dialect = '' }: QueryDatabase,
): string | undefined => {
  const parts = new Map<string, string>()
  if (!addParts(view, views, parts, new Set())) return undefined
  const own = toPartName(view.name)
  const columns = fields.flatMap(({ field, traced }) => {
    const found = traceField(traced, `${view.name}.${field.name}`)?.get(view.name) ?? []
    const names = found.map((column) => `${own}.${quoteName(column, dialect)}`)
    if (names.length === 0) return []
    return [`${names.length === 1 ? names[0] : `coalesce(${names.join(', ')})`} as ${markName(field.name, dialect)}`]
  })
  const tables = [...parts].map(([name, sql]) => `${toPartName(name)} as (\n${sql}\n)`)
  const sql = `with ${tables.join(',\n')}\nselect ${columns.length > 0 ? columns.join(',\n  ') : '*'}\nfrom ${own}`
  return sql.length > MAX_SQL ? undefined : sql
}

const toPartName = (view: string): string => `lookml_${view.replace(/\W/g, '_')}`

/** The SQL of a view after that of the views it reads. */
const addParts = (
  view: LookmlView,
  views: ModelViews,
  parts: Map<string, string>,
  visiting: Set<string>,
  size = { left: MAX_SQL },
): boolean => {
  if (view.source?.kind !== 'sql' || visiting.has(view.name) || visiting.size > 50) return false
  size.left -= view.source.sql.length
  if (size.left < 0) return false
  visiting.add(view.name)
  let complete = true
  const sql = view.source.sql.replace(/\$\{\s*([\w-]+)\.SQL_TABLE_NAME\s*\}/g, (_, name: string) => {
    const other = views.get(name)
    if (other?.source?.kind === 'table') return other.source.text
    if (other && (parts.has(name) || addParts(other, views, parts, visiting, size))) return toPartName(name)
    complete = false
    return ''
  })
  visiting.delete(view.name)
  parts.set(view.name, sql)
  return complete
}
