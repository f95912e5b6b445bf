import type { Discovered } from '../../../../connector/src/define.ts'
import type { ItemMessage, LineageSource } from '../../../../connector/src/protocol.ts'
import { childKey, toItemQuery, toTableSource } from '../bi/item-parts.ts'
import { traceField } from './looker-explore.ts'
import type { Note } from './lookml-model-scope.ts'
import type { LookmlExplore, LookmlModel, LookmlProject, ProjectView } from './lookml-project.ts'
import { buildViewSql } from './lookml-sql.ts'
import { findField, type LookmlField } from './lookml-view.ts'

/** What a LookML project becomes: items and lineage. Pure. */

const PROJECT_KEY = 'lookml'

/** The views of a project, and what flows into those that are tables or SQL. */
export function* listViewItems(project: LookmlProject, note: Note): Generator<Discovered, void> {
  if (project.views.length === 0) return
  yield { type: 'item', key: PROJECT_KEY, entity_type: 'dashboard_group', native_type: 'LookML project', title: project.title }
  for (const view of project.views) {
    const { source, name } = view.view
    const sql =
      source?.kind === 'sql' ? buildViewSql(view.view, view.model.views, [...view.fields.values()], view.model.database) : undefined
    const query = sql === undefined ? undefined : toItemQuery(sql, view.model.database)
    if (source?.kind === 'sql' && sql === undefined) note(`${view.view.file}: the view ${name} reads views that have no SQL.`)
    if (sql !== undefined && !query)
      note(`The SQL dialect of the model ${view.model.name} is not known, so that views derived from SQL have no lineage. Set \`dialect\`.`)
    const { file, label, description } = view.view
    yield {
      ...{ type: 'item', key: view.key, parent: PROJECT_KEY, entity_type: 'table', native_type: 'LookML view', title: name },
      description: description ?? null,
      facts: { file, label: label ?? null, table: source?.kind === 'table' ? source.path.join('.') : null },
      ...(query ? { query } : {}),
    }
    yield* [...view.fields.values()].map(({ field }, i) => toColumn(view.key, field, i + 1))
    const from = source?.kind === 'table' ? listTableSources(view, source.path) : []
    if (from.length > 0) yield { type: 'lineage', to: view.key, from }
  }
}

const toColumn = (parent: string, field: LookmlField, position: number): ItemMessage => ({
  ...{ type: 'item', key: childKey(parent, field.name), parent, entity_type: 'column', native_type: field.type, position },
  title: field.name.slice(0, 500),
  description: field.description ?? null,
  ...(field.primaryKey ? { primary_key: true } : {}),
  facts: { label: field.label ?? null, sql: field.sql },
})

const listTableSources = ({ key, view, fields, model }: ProjectView, path: readonly string[]): LineageSource[] => {
  const { dialect } = model.database
  const columns = [...fields.values()].flatMap(({ field, traced }) =>
    [...(traceField(traced, `${view.name}.${field.name}`) ?? [])].flatMap(([name, found]) => {
      const table = traced.tables.get(name)!
      return found.length === 0 || table.length === 0 ? [] : [toTableSource(table, found, { dialect, into: childKey(key, field.name) })]
    }),
  )
  return [toTableSource(path, [], { dialect }), ...columns]
}

export interface ExploreKeys {
  explore(model: string, name: string): string
  field(model: string, explore: string, field: string): string
}

/** An explore that Looker did not list. */
export function* listExploreItems(
  model: LookmlModel,
  explore: LookmlExplore,
  keys: ExploreKeys & { readonly parent: string },
): Generator<ItemMessage, void> {
  const key = keys.explore(model.name, explore.name)
  yield {
    ...{ type: 'item', key, parent: keys.parent, entity_type: 'table', native_type: 'explore', title: explore.name },
    description: explore.description ?? null,
    facts: { label: explore.label ?? null, views: [...new Set(explore.aliases.values())] },
  }
  for (const { name, field, member } of listExploreFields(model, explore)) {
    yield {
      ...{ type: 'item', key: keys.field(model.name, explore.name, name), parent: key, entity_type: 'column' },
      ...{ native_type: member.type, title: name.slice(0, 500), description: field.description ?? null },
      facts: { label: field.label ?? null, sql: field.sql },
    }
  }
}

interface ExploreMember {
  /** `orders.created_date`, as Looker calls it. */
  readonly name: string
  readonly field: LookmlField
  readonly member: LookmlField['members'][number]
}

const listExploreFields = (model: LookmlModel, { aliases }: LookmlExplore): ExploreMember[] => {
  const fields = [...aliases].flatMap(([alias, view]) =>
    [...(model.views.get(view)?.fields.values() ?? [])].flatMap((field) =>
      field.members.map((member) => ({ name: `${alias}.${member.name}`, field, member })),
    ),
  )
  return [...new Map(fields.map((each) => [each.name, each])).values()]
}

/** From which columns of views these fields of an explore are. Fields of views that are not in the files are left out. */
export const listExploreViews = (
  project: LookmlProject,
  model: string,
  { aliases }: LookmlExplore,
  fields: Iterable<string>,
  toKey: (field: string) => string,
): { readonly from: LineageSource[]; readonly covered: ReadonlySet<string> } => {
  const covered = new Set<string>()
  const views = new Set([...aliases.values()].flatMap((name) => project.findView(model, name)?.key ?? []))
  const columns: LineageSource[] = []
  for (const name of fields) {
    const [alias, own] = [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)]
    const view = project.findView(model, aliases.get(alias) ?? '')
    const field = view && findField(project.models.get(model)!.views.get(view.view.name)!, own)
    if (!view || !field) continue
    covered.add(name)
    columns.push({ item: view.key, columns: [childKey(view.key, field.name)], into: toKey(name) })
  }
  return { from: [...[...views].map((item) => ({ item })), ...columns], covered }
}

/** What flows from explores into the views that are derived from them. `known` are the columns of explores that were reported. */
export function* listDerivedFromExplores(
  project: LookmlProject,
  known: ReadonlySet<string>,
  keys: ExploreKeys,
): Generator<Discovered, void> {
  for (const { key, view, model, fields } of project.views) {
    if (view.source?.kind !== 'explore') continue
    const { explore, columns } = view.source
    const item = keys.explore(model.name, explore)
    if (!known.has(item)) continue
    const into = [...fields.values()].flatMap(({ field, traced }) => {
      const found = traceField(traced, `${view.name}.${field.name}`)?.get(view.name) ?? []
      const sources = found.flatMap((column) => columns.get(column) ?? []).map((name) => keys.field(model.name, explore, name))
      const reported = sources.filter((each) => known.has(each))
      return reported.length === 0 ? [] : [{ item, columns: reported, into: childKey(key, field.name) }]
    })
    yield { type: 'lineage', to: key, from: [{ item }, ...into] }
  }
}
