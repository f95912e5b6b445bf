import { type Discovered, defineConnector } from '../../../../connector/src/define.ts'
import type { ItemMessage, LineageSource } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { DEFAULT_SCHEMAS, findEngineDialect } from '../bi/engines.ts'
import { childKey, joinUrl, toItemQuery, toOwners, toTags, toUsage } from '../bi/item-parts.ts'
import { listOnce, listParentsFirst } from '../bi/listing.ts'
import { TableauApi } from './tableau-api.ts'
import { cleanCustomSql, customSqlKey, datasourceKey, listVisible, readDatabaseTable, TableauLineage } from './tableau-lineage.ts'
import { TABLEAU_GRANTS, TABLEAU_SETTINGS, type TableauSettings } from './tableau-settings.ts'

const OWNER = 'owner { username email }'
const WORKBOOKS = `id luid name description projectName uri updatedAt ${OWNER}`
const TABLES = 'id name schema fullName connectionType database { name }'
const CUSTOM_SQL = `id name query connectionType database { name } columns { name remoteType } tables { schema connectionType database { name } }
  downstreamWorkbooks { id } downstreamDatasources { luid projectName }`
const PUBLISHED = `id luid name description projectName uri hasExtracts extractLastRefreshTime ${OWNER} tags { name }
  fields { __typename id name description isHidden ... on ColumnField { dataType } ... on CalculatedField { dataType formula } ... on GroupField { dataType } }`
const SHEETS = `id luid name path createdAt updatedAt tags { name } workbook { id ${OWNER} }
  datasourceFields { id name datasource { __typename id } }`
const DASHBOARDS = `id luid name path createdAt updatedAt workbook { id ${OWNER} } sheets { id }`

const projectKey = (id: string): string => `project/${id}`
const workbookKey = (id: string): string => `workbook/${id}`
const sheetKey = (id: string): string => `sheet/${id}`
const dashboardKey = (id: string): string => `dashboard/${id}`
const getId = (each: Shape): string => each.text('id')

export const tableau = defineConnector<TableauSettings>({
  name: 'tableau',
  label: 'Tableau',
  version: '1.0.0',
  settings: TABLEAU_SETTINGS,
  grants: TABLEAU_GRANTS,

  test: async (context) => {
    const api = await TableauApi.connect(context)
    const [workbooks, views] = [await api.countRest('workbooks'), await api.countRest('views')]
    for await (const _ of api.listPages({ name: 'workbooksConnection', nodes: 'id' })) break // the Metadata API may be off
    return `Connected to Tableau${context.settings.site ? `, site ${context.settings.site}` : ''}: ${workbooks} workbooks and ${views} views.`
  },

  async *discover(context) {
    const api = await TableauApi.connect(context)
    yield* new TableauDiscovery(api, context.settings).run()
    if (!api.complete) yield { type: 'incremental' }
  },
})

class TableauDiscovery {
  readonly #api: TableauApi
  readonly #settings: TableauSettings
  readonly #lineage: TableauLineage
  /** How often sheets and dashboards were viewed, by LUID. */
  readonly #views = new Map<string, number | undefined>()
  /** Projects of workbooks and data sources, by LUID. */
  readonly #projectOf = new Map<string, string>()
  readonly #projects = new Set<string>()
  readonly #workbooks = new Set<string>()

  constructor(api: TableauApi, settings: TableauSettings) {
    this.#api = api
    this.#settings = settings
    this.#lineage = new TableauLineage(api)
  }

  async *run(): AsyncGenerator<Discovered, void> {
    yield* this.#readProjects()
    for await (const view of this.#api.listRest('views', 'view', { includeUsageStatistics: 'true' })) {
      this.#views.set(view.text('id'), view.optionalObject('usage')?.optionalInteger('totalViewCount'))
      this.#addProject(view.optionalObject('workbook')?.optionalText('id'), view)
    }
    for await (const datasource of this.#api.listRest('datasources', 'datasource')) this.#addProject(datasource.text('id'), datasource)
    for await (const table of this.#api.list({ name: 'databaseTablesConnection', nodes: TABLES })) {
      const found = readDatabaseTable(table)
      if (found) this.#lineage.addTable(getId(table), found)
    }
    for await (const workbook of this.#list('workbooksConnection', WORKBOOKS)) yield* this.#readWorkbook(workbook)
    for await (const custom of this.#list('customSQLTablesConnection', CUSTOM_SQL)) yield* this.#readCustomSql(custom)
    yield* this.#readDatasources()
    yield* this.#readSheets()
    for await (const dashboard of this.#list('dashboardsConnection', DASHBOARDS)) {
      const key = dashboardKey(getId(dashboard))
      yield* this.#readView(dashboard, key, 'dashboard', {}, () =>
        listVisible(dashboard, 'sheets').map((sheet) => ({ item: sheetKey(getId(sheet)) })),
      )
    }
  }

  #list(name: string, nodes: string): AsyncGenerator<Shape, void> {
    return listOnce(this.#api.list({ name, nodes }), getId)
  }

  #addProject(luid: string | undefined, object: Shape): void {
    const project = object.optionalObject('project')?.optionalText('id')
    if (luid && project) this.#projectOf.set(luid, project)
  }

  async *#readProjects(): AsyncGenerator<Discovered, void> {
    const all = new Map<string, Shape>()
    for await (const project of this.#api.listRest('projects', 'project')) all.set(getId(project), project)
    for (const { id, object: project, parent } of listParentsFirst(all, (each) => each.optionalText('parentProjectId'))) {
      this.#projects.add(id)
      yield {
        type: 'item',
        key: projectKey(id),
        ...(parent === undefined ? {} : { parent: projectKey(parent) }),
        entity_type: 'dashboard_group',
        native_type: 'project',
        title: project.text('name'),
        description: project.optionalText('description') || null,
      }
    }
  }

  /** The project by its ID, else one of this name that the REST API did not list. */
  *#findProject(object: Shape): Generator<Discovered, string> {
    const known = this.#projectOf.get(object.optionalText('luid') ?? '')
    if (known !== undefined && this.#projects.has(known)) return projectKey(known)
    const title = object.optionalText('projectName') || 'default'
    const id = `name/${title}`
    if (!this.#projects.has(id)) yield { type: 'item', key: projectKey(id), entity_type: 'dashboard_group', native_type: 'project', title }
    this.#projects.add(id)
    return projectKey(id)
  }

  *#readWorkbook(workbook: Shape): Generator<Discovered, void> {
    const key = workbookKey(getId(workbook))
    const hidden = explainHidden(workbook, key)
    if (hidden) return void (yield hidden)
    const parent = yield* this.#findProject(workbook)
    this.#workbooks.add(getId(workbook))
    yield {
      type: 'item',
      key,
      parent,
      entity_type: 'dashboard_group',
      native_type: 'workbook',
      title: workbook.text('name'),
      description: workbook.optionalText('description') || null,
      url: this.#toUrl(workbook.optionalText('uri')?.replace(/^sites\/\d+/, '')),
      updated_at: workbook.optionalText('updatedAt') ?? null,
      ...readOwners(workbook),
    }
  }

  /** Its lineage is read from the SQL. */
  *#readCustomSql(custom: Shape): Generator<Discovered, void> {
    const id = getId(custom)
    const key = customSqlKey(id)
    const workbook = listVisible(custom, 'downstreamWorkbooks')
      .map(getId)
      .find((each) => this.#workbooks.has(each))
    const [datasource] = listVisible(custom, 'downstreamDatasources')
    if (workbook === undefined && !datasource) return // nothing that this user may see
    const parent = workbook === undefined ? yield* this.#findProject(datasource!) : workbookKey(workbook)
    const [table] = custom.optionalList('tables')
    const database = custom.optionalObject('database') ?? table?.optionalObject('database')
    const dialect = findEngineDialect(custom.optionalText('connectionType') ?? table?.optionalText('connectionType') ?? '')
    const definition = cleanCustomSql(custom.optionalText('query') ?? '')
    const query = toItemQuery(definition, {
      dialect,
      database: database?.optionalText('name'),
      schema: table?.optionalText('schema') || DEFAULT_SCHEMAS[dialect ?? ''],
    })
    this.#lineage.addCustomSql(id)
    yield {
      type: 'item',
      key,
      parent,
      entity_type: 'table',
      native_type: 'custom SQL',
      title: custom.optionalText('name') || 'Custom SQL Query',
      ...(query ? { query } : { facts: { definition } }),
    }
    const columns = new Map(
      custom.optionalList('columns').map((column) => [column.optionalText('name'), column.optionalText('remoteType')]),
    )
    for (const [name, type] of columns) if (name) yield toColumn(key, name, { native_type: type ?? null })
  }

  async *#readDatasources(): AsyncGenerator<Discovered, void> {
    for await (const datasource of this.#list('publishedDatasourcesConnection', PUBLISHED)) {
      const key = datasourceKey(getId(datasource))
      const hidden = explainHidden(datasource, key)
      if (hidden) {
        yield hidden
        continue
      }
      this.#lineage.addPublished(getId(datasource))
      const parent = yield* this.#findProject(datasource)
      yield {
        type: 'item',
        key,
        parent,
        entity_type: 'table',
        native_type: 'published data source',
        title: datasource.text('name'),
        description: datasource.optionalText('description') || null,
        url: this.#toUrl(datasource.optionalText('uri')?.replace(/^sites\/\d+/, '')),
        ...readOwners(datasource),
        ...readTags(datasource),
        facts: {
          extract: datasource.optionalBoolean('hasExtracts') ?? null,
          extract_refreshed_at: datasource.optionalText('extractLastRefreshTime') ?? null,
        },
      }
      const fields = new Map(datasource.list('fields').map((field) => [field.optionalText('name'), field]))
      const listed = [...fields].filter(([name, field]) => name && !field.optionalBoolean('isHidden')) as [string, Shape][]
      for (const [name, field] of listed)
        yield toColumn(key, name, {
          description: field.optionalText('description') || null,
          native_type: field.optionalText('dataType') ?? field.optionalText('__typename') ?? null,
          ...(field.optionalText('formula') ? { facts: { formula: field.text('formula') } } : {}),
        })
      await this.#lineage.load(listed.map(([, field]) => getId(field)))
      const from = listed.flatMap(([name, field]) => this.#lineage.findSources(getId(field), childKey(key, name)))
      if (from.length > 0) yield { type: 'lineage', to: key, from }
    }
  }

  async *#readSheets(): AsyncGenerator<Discovered, void> {
    const seen = new Set<string>()
    for await (const page of this.#api.listPages({ name: 'sheetsConnection', nodes: SHEETS })) {
      const fields = page.flatMap((sheet) => listVisible(sheet, 'datasourceFields').filter(isEmbedded).map(getId))
      await this.#lineage.load(fields)
      for (const sheet of page) {
        const id = getId(sheet)
        if (!seen.has(id)) yield* this.#readView(sheet, sheetKey(id), 'chart', readTags(sheet), () => this.#findSheetSources(sheet))
        seen.add(id)
      }
    }
  }

  #findSheetSources(sheet: Shape): LineageSource[] {
    return listVisible(sheet, 'datasourceFields').flatMap((field) => {
      if (isEmbedded(field)) return this.#lineage.findSources(getId(field))
      const [name, datasource] = [field.optionalText('name'), field.optionalObject('datasource')]
      if (!datasource) return []
      const item = datasourceKey(getId(datasource))
      return [{ item, ...(name ? { columns: [childKey(item, name)] } : {}) }]
    })
  }

  *#readView(
    view: Shape,
    key: string,
    entity_type: 'chart' | 'dashboard',
    more: Partial<ItemMessage>,
    findSources: () => LineageSource[],
  ): Generator<Discovered, void> {
    const hidden = explainHidden(view, key)
    if (hidden) return void (yield hidden)
    const workbook = view.optionalObject('workbook')
    const parent = workbook && this.#workbooks.has(getId(workbook)) ? workbookKey(getId(workbook)) : undefined
    const path = view.optionalText('path')
    yield {
      type: 'item',
      key,
      ...(parent === undefined ? {} : { parent }),
      entity_type,
      native_type: entity_type === 'chart' ? 'sheet' : 'dashboard',
      title: view.text('name') || '(no name)',
      url: this.#toUrl(path ? `/views/${path}` : undefined),
      updated_at: view.optionalText('updatedAt') ?? null,
      ...(workbook ? readOwners(workbook) : {}),
      ...toUsage(this.#views.get(view.optionalText('luid') ?? ''), view.optionalText('createdAt')),
      ...more,
    }
    const from = findSources()
    if (from.length > 0) yield { type: 'lineage', to: key, from }
  }

  #toUrl(path: string | undefined): string | null {
    const { url, site } = this.#settings
    return path === undefined ? null : joinUrl(url, `/#${site ? `/site/${encodeURIComponent(site)}` : ''}${path}`)
  }
}

const isEmbedded = (field: Shape): boolean => field.optionalObject('datasource')?.optionalText('__typename') !== 'PublishedDatasource'

/** Tableau lists objects that the user may not see with null in place of their names. */
const explainHidden = (object: Shape, key: string): Discovered | undefined =>
  object.at('name').value === null
    ? { type: 'unlisted', key, reason: `Tableau: the user may not see ${key}. What is known of it stays as it is.` }
    : undefined

const readOwners = (object: Shape) => {
  const owner = object.optionalObject('owner')
  return toOwners(owner?.optionalText('email') || owner?.optionalText('username'))
}

const readTags = (object: Shape) => toTags(object.optionalList('tags').flatMap((tag) => tag.optionalText('name') ?? []))

const toColumn = (parent: string, title: string, more: Partial<ItemMessage>): ItemMessage => ({
  type: 'item',
  key: childKey(parent, title),
  parent,
  entity_type: 'column',
  title: title.slice(0, 500),
  ...more,
})
