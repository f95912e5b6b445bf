import { basename } from 'node:path'
import type { QueryDatabase } from '../bi/item-parts.ts'
import { buildScopes, type Defined, type ModelScope, type Note } from './lookml-model-scope.ts'
import { type FieldOfView, type ModelViews, toTraced } from './lookml-sql.ts'
import { getText, isYes, type LookmlView, readView } from './lookml-view.ts'
import type { LookmlBlock } from './parse-lookml.ts'
import { readLookmlFiles } from './read-lookml-files.ts'

/** A view of a project. If models refine it differently, it has the fields of all, as the first model that has them defines them. */
export interface ProjectView {
  readonly key: string
  readonly view: LookmlView
  /** Of the first model that includes it. */
  readonly model: LookmlModel
  readonly fields: ReadonlyMap<string, FieldOfView>
}

export interface LookmlModel {
  readonly name: string
  readonly label: string | undefined
  readonly database: QueryDatabase
  readonly views: ModelViews
  readonly explores: ReadonlyMap<string, LookmlExplore>
}

export interface LookmlExplore {
  readonly name: string
  readonly label: string | undefined
  readonly description: string | undefined
  readonly isHidden: boolean
  /** Names of views by the names they have in the explore, the base view first. */
  readonly aliases: ReadonlyMap<string, string>
}

export interface LookmlProject {
  readonly title: string
  readonly models: ReadonlyMap<string, LookmlModel>
  readonly views: readonly ProjectView[]
  /** Why files could not be read: what is known of the project stays as it is. */
  readonly problems: readonly string[]
  /** What else is worth a line in the log. */
  readonly notes: ReadonlySet<string>
  findView(model: string, view: string): ProjectView | undefined
}

export type FindDatabase = (connection: string | undefined) => Promise<QueryDatabase>

export const readProject = async (root: string, findDatabase: FindDatabase): Promise<LookmlProject> => {
  const { files, problems } = await readLookmlFiles(root)
  const notes = new Set<string>()
  const note: Note = (text) => notes.add(text)
  const scopes = buildScopes(files, note)
  if (scopes.length === 0) throw new Error(`There is no model (*.model.lkml) in the LookML project. ${problems[0] ?? ''}`.trim())
  const models = new Map<string, LookmlModel>()
  for (const scope of scopes) {
    const database = await findDatabase(getText(scope.model, 'connection'))
    if (models.has(scope.name)) note(`The model ${scope.name} is defined twice: one of them is left out.`)
    else models.set(scope.name, readModel(scope, database, note))
  }
  const title = getText(files.get('manifest.lkml') ?? EMPTY, 'project_name') ?? (basename(root) || 'LookML')
  return { title: title.slice(0, 500), models, problems, notes, ...listViews(models) }
}

const EMPTY: LookmlBlock = { key: '', name: '', values: new Map(), blocks: [] }

const readModel = (scope: ModelScope, database: QueryDatabase, note: Note): LookmlModel => {
  const usable = ([, { block }]: [string, Defined]): boolean => getText(block, 'extension') !== 'required'
  const views = [...scope.views].filter(usable).map(([name, { file, block }]) => [name, readView(file, block, database, note)] as const)
  const explores = [...scope.explores].filter(usable).map(([name, { block }]) => [name, readExplore(block)] as const)
  for (const [name, { aliases }] of explores)
    for (const view of new Set(aliases.values()))
      if (!scope.views.has(view)) note(`The explore ${scope.name}.${name} uses the view ${view}, which its model does not include.`)
  return { name: scope.name, label: getText(scope.model, 'label'), database, views: new Map(views), explores: new Map(explores) }
}

const readExplore = (block: LookmlBlock): LookmlExplore => {
  const from = getText(block, 'from')
  const base = getText(block, 'view_name') ?? block.name
  const joins = block.blocks.filter(({ key }) => key === 'join')
  return {
    ...{ name: block.name, label: getText(block, 'label'), description: getText(block, 'description'), isHidden: isYes(block, 'hidden') },
    aliases: new Map([
      // With `view_name`, fields have its name, even if `from` names the view itself.
      [base, from ?? base],
      ...joins.map((join) => [join.name, getText(join, 'from') ?? getText(join, 'view_name') ?? join.name] as const),
    ]),
  }
}

interface OpenView extends Omit<ProjectView, 'key' | 'fields'> {
  readonly fields: Map<string, FieldOfView>
}

/** A view is known by its name, unless files define different ones of the same name. */
const listViews = (models: ReadonlyMap<string, LookmlModel>): Pick<LookmlProject, 'views' | 'findView'> => {
  const open = new Map<string, Map<string, OpenView>>()
  for (const model of models.values()) {
    const traced = toTraced(model.views)
    for (const view of model.views.values()) {
      const sameName = open.get(view.name) ?? new Map<string, OpenView>()
      open.set(view.name, sameName)
      const known = sameName.get(view.file) ?? { view, model, fields: new Map<string, FieldOfView>() }
      sameName.set(view.file, known)
      for (const [name, field] of view.fields) if (!known.fields.has(name)) known.fields.set(name, { field, traced })
    }
  }
  const byFile = new Map<string, ProjectView>()
  for (const [name, sameName] of open)
    for (const [file, view] of sameName)
      byFile.set(`${name}\n${file}`, { ...view, key: sameName.size === 1 ? `view/${name}` : `view/${name}/${file}` })
  return {
    views: [...byFile.values()],
    findView: (model, name) => {
      const view = models.get(model)?.views.get(name)
      return view && byFile.get(`${name}\n${view.file}`)
    },
  }
}
