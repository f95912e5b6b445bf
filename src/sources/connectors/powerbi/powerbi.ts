import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { HttpError } from '../../../../connector/src/http.ts'
import type { ItemMessage, LineageSource } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { childKey, toItemQuery, toOwners, toTableSource } from '../bi/item-parts.ts'
import { findUnchanged, toVersion } from '../bi/versions.ts'
import { toViews, type ViewCounts } from '../bi/view-counts.ts'
import { MExpressions, type MSource } from './m-sources.ts'
import { PowerBiApi } from './powerbi-api.ts'
import { POWERBI_GRANTS, POWERBI_SETTINGS, type PowerBiSettings } from './powerbi-settings.ts'
import { readContents, WorkspaceChanges } from './workspace-changes.ts'

const APP = 'https://app.powerbi.com'

/** IDs are written in upper and lower case. */
const getId = (object: Shape, name = 'id'): string => object.text(name).toLowerCase()
const workspaceKey = (id: string): string => `workspace/${id}`
/** Power BI names workspaces that have changed, but no versions: this one says that a workspace is in the catalog. */
const SCANNED = 'scanned'
/** Views are no change for Power BI, but for the catalog. */
const toScanVersion = (views: ViewCounts | undefined, key: string): string | undefined => {
  const viewed = views?.describeBelow(key)
  return viewed === undefined ? SCANNED : toVersion(SCANNED, viewed)
}

export const powerbi = defineConnector<PowerBiSettings>({
  name: 'powerbi',
  label: 'Power BI',
  version: '1.0.0',
  settings: POWERBI_SETTINGS,
  grants: POWERBI_GRANTS,

  test: async (context) => {
    const api = await PowerBiApi.connect(context)
    return `Connected to Power BI: ${(await api.listWorkspaces()).length} workspaces.`
  },

  async *discover(context) {
    const api = await PowerBiApi.connect(context)
    const views = await api.countViews(context.log, (workspace, kind, id) => childKey(workspaceKey(workspace), `${kind}/${id}`))
    const discovery = new PowerBiDiscovery(context, views)
    const changes = new WorkspaceChanges(context.state)
    const ids = new Map((await api.listWorkspaces()).map((id) => [id.toLowerCase(), id]))
    const modified = changes.since === undefined ? undefined : await findModified(api, changes.since, context)
    const toUnchanged = (id: string) => findUnchanged(context, workspaceKey(id), toScanVersion(views, workspaceKey(id)))
    changes.setListed([...ids.keys()], (id) => modified?.has(id) === false && toUnchanged(id) !== undefined)
    let done = 0
    for (let next = changes.findNext(); next.length > 0; next = changes.findNext())
      for await (const { requested, workspaces } of api.scan(next.map((id) => ids.get(id)!))) {
        const found = new Map(workspaces.map((workspace) => [getId(workspace), workspace]))
        for (const workspace of workspaces) yield* discovery.readWorkspace(workspace)
        for (const id of requested.map((each) => each.toLowerCase())) {
          const workspace = found.get(id)
          changes.add(id, workspace && readContents(workspace))
          if (!workspace)
            yield {
              type: 'unlisted',
              key: workspaceKey(id),
              reason: `Power BI: the scan does not contain workspace ${ids.get(id)}. What is known of it stays as it is.`,
            }
        }
        done += requested.length
        await context.progress(done, ids.size)
      }
    for (const id of changes.unchanged) yield toUnchanged(id)!
    yield { type: 'state', state: changes.toState() }
    // Reports and tiles may use data sets of other workspaces, which are known only now.
    yield* discovery.listUses()
  },
})

/** Undefined if Power BI rejects the time. */
const findModified = async (api: PowerBiApi, since: string, { log }: Pick<RunContext, 'log'>): Promise<Set<string> | undefined> => {
  try {
    return new Set((await api.listWorkspaces(since)).map((id) => id.toLowerCase()))
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error
    await log(
      `The changed workspaces cannot be listed, so all workspaces are scanned. That takes longer, and nothing is missing. ${error.message}`,
    )
    return undefined
  }
}

class PowerBiDiscovery {
  readonly #log: RunContext['log']
  readonly #views: ViewCounts | undefined
  readonly #seen = new Set<string>()
  readonly #tablesOf = new Map<string, string[]>()
  readonly #reports = new Map<string, string>()
  /** What a report or a tile shows. */
  readonly #uses = new Map<string, { dataset?: string | undefined; report?: string }>()
  #hasSchema = true

  constructor({ log }: Pick<RunContext, 'log'>, views: ViewCounts | undefined) {
    this.#log = log
    this.#views = views
  }

  async *readWorkspace(workspace: Shape): AsyncGenerator<Discovered, void> {
    if ((workspace.optionalText('state') ?? 'Active') !== 'Active') return
    const id = getId(workspace)
    const key = workspaceKey(id)
    if (this.#isSeen(key)) return
    yield {
      type: 'item',
      key,
      version: toScanVersion(this.#views, key) ?? SCANNED,
      entity_type: 'dashboard_group',
      native_type: 'workspace',
      title: workspace.text('name'),
      description: workspace.optionalText('description') || null,
      url: `${APP}/groups/${id}`,
    }
    for (const dataset of workspace.optionalList('datasets')) yield* this.#readDataset(dataset, id, key)
    for (const report of workspace.optionalList('reports')) yield* this.#readReport(report, id, key)
    for (const dashboard of workspace.optionalList('dashboards')) yield* this.#readDashboard(dashboard, id, key)
  }

  *listUses(): Generator<Discovered, void> {
    for (const [to, { dataset = '', report = '' }] of this.#uses) {
      const shown = this.#reports.get(report)
      const from = shown === undefined ? (this.#tablesOf.get(dataset) ?? []) : [shown]
      if (from.length > 0) yield { type: 'lineage', to, from: from.map((item) => ({ item })) }
    }
  }

  #isSeen(key: string): boolean {
    if (this.#seen.has(key)) return true
    this.#seen.add(key)
    return false
  }

  async *#readDataset(dataset: Shape, workspace: string, parent: string): AsyncGenerator<Discovered, void> {
    const id = getId(dataset)
    const key = childKey(parent, `dataset/${id}`)
    if (this.#isSeen(id)) return
    const tableKeys: string[] = []
    this.#tablesOf.set(id, tableKeys)
    yield {
      type: 'item',
      key,
      parent,
      entity_type: 'dashboard_group',
      native_type: 'semantic model',
      title: dataset.optionalText('name') || '(no name)',
      description: dataset.optionalText('description') || null,
      url: `${APP}/groups/${workspace}/datasets/${id}/details`,
      ...toOwners(dataset.optionalText('configuredBy')),
      ...readEndorsement(dataset),
    }
    if (dataset.at('tables').missing && this.#hasSchema) {
      this.#hasSchema = false
      await this.#log(
        'Power BI reports no tables of data sets. An administrator turns them on with "Enhance admin APIs responses with detailed metadata".',
      )
    }
    const problem = dataset.optionalText('schemaRetrievalError')
    if (problem || dataset.at('tables').missing)
      yield {
        type: 'unlisted',
        key,
        reason: `Power BI: the tables of ${dataset.optionalText('name') ?? id} could not be read${problem ? ` (${problem})` : ''}. What is known of them stays as it is.`,
      }
    const tables = dataset.optionalList('tables')
    const expressions = new Map(
      [...dataset.optionalList('expressions'), ...tables].map((each) => [each.text('name'), readExpression(each)] as const),
    )
    const parsed = await MExpressions.parse(expressions)
    for (const table of tables) {
      const tableKey = childKey(key, table.text('name'))
      if (tableKeys.includes(tableKey)) continue
      tableKeys.push(tableKey)
      yield* readTable(table, tableKey, key, parsed.findSources(table.text('name')))
    }
  }

  *#readReport(report: Shape, workspace: string, parent: string): Generator<Discovered, void> {
    const id = getId(report)
    const key = childKey(parent, `report/${id}`)
    if (!report.at('appId').missing || this.#isSeen(id)) return // an app has copies of reports
    yield {
      type: 'item',
      key,
      parent,
      entity_type: 'report',
      native_type: report.optionalText('reportType') ?? null,
      title: report.optionalText('name')?.slice(0, 500) || '(no name)',
      description: report.optionalText('description') || null,
      url: report.optionalText('webUrl') ?? `${APP}/groups/${workspace}/reports/${id}`,
      updated_at: toUtc(report.optionalText('modifiedDateTime')),
      ...readOwners(report, 'reportUserAccessRight'),
      ...toViews(this.#views, key),
      ...readEndorsement(report),
    }
    const dataset = report.optionalText('datasetId')?.toLowerCase()
    this.#reports.set(id, key)
    if (dataset) this.#uses.set(key, { dataset })
  }

  *#readDashboard(dashboard: Shape, workspace: string, parent: string): Generator<Discovered, void> {
    const id = getId(dashboard)
    const key = childKey(parent, `dashboard/${id}`)
    if (!dashboard.at('appId').missing || this.#isSeen(id)) return
    yield {
      type: 'item',
      key,
      parent,
      entity_type: 'dashboard',
      title: dashboard.optionalText('displayName')?.slice(0, 500) || '(no name)',
      description: dashboard.optionalText('description') || null,
      url: dashboard.optionalText('webUrl') ?? `${APP}/groups/${workspace}/dashboards/${id}`,
      ...readOwners(dashboard, 'dashboardUserAccessRight'),
      ...toViews(this.#views, key),
    }
    const tiles: string[] = []
    for (const tile of dashboard.optionalList('tiles')) {
      const tileKey = childKey(key, `tile/${getId(tile)}`)
      if (tiles.includes(tileKey)) continue
      tiles.push(tileKey)
      yield {
        type: 'item',
        key: tileKey,
        parent: key,
        entity_type: 'chart',
        native_type: 'tile',
        title: tile.optionalText('title')?.slice(0, 500) || '(no name)',
        url: tile.optionalText('embedUrl') ?? null,
      }
      const [report, dataset] = [tile.optionalText('reportId')?.toLowerCase(), tile.optionalText('datasetId')?.toLowerCase()]
      // A tile that was pinned from a report has its data from there.
      this.#uses.set(tileKey, report ? { report } : { dataset })
    }
    if (tiles.length > 0) yield { type: 'lineage', to: key, from: tiles.map((item) => ({ item })) }
  }
}

function* readTable(table: Shape, key: string, parent: string, sources: readonly MSource[]): Generator<Discovered, void> {
  const columns = new Map(table.optionalList('columns').map((column) => [column.text('name'), column]))
  const measures = new Map(table.optionalList('measures').map((measure) => [measure.text('name'), measure]))
  const [single] = sources
  // The lineage of a native query is read from its SQL.
  const query = sources.length === 1 && single?.sql !== undefined ? toItemQuery(single.sql, single) : undefined
  yield {
    type: 'item',
    key,
    parent,
    entity_type: 'table',
    native_type: 'table',
    title: table.text('name').slice(0, 500) || '(no name)',
    description: table.optionalText('description') || null,
    facts: { storage_mode: table.optionalText('storageMode') ?? null, expression: readExpression(table) },
    ...(query ? { query } : {}),
  }
  for (const [name, column] of columns) yield toColumn(key, name, column.optionalText('dataType') ?? null, column)
  for (const [name, measure] of measures) if (!columns.has(name)) yield toColumn(key, name, 'measure', measure)
  const from = query ? [] : sources.flatMap((source) => toLineageSources(source, key, columns))
  if (from.length > 0) yield { type: 'lineage', to: key, from }
}

/** The text of a shared expression, or of the query of a table. */
const readExpression = (object: Shape): string =>
  object.optionalText('expression') ?? object.optionalList('source').flatMap((source) => source.optionalText('expression') ?? [])[0] ?? ''

/** Columns flow by name, after those that were renamed. Calculated ones are made in the data set. */
const toLineageSources = (source: MSource, key: string, columns: ReadonlyMap<string, Shape>): LineageSource[] => {
  if (source.sql !== undefined) return []
  const { path, dialect, renamed } = source
  const data = [...columns].filter(([, column]) => (column.optionalText('columnType') ?? 'Data') === 'Data')
  const flows = data.map(([name]) => toTableSource(path, [renamed.get(name) ?? name], { dialect, into: childKey(key, name) }))
  return flows.length > 0 ? flows : [toTableSource(path, [], { dialect })]
}

const toColumn = (table: string, name: string, native_type: string | null, column: Shape): ItemMessage => ({
  type: 'item',
  key: childKey(table, name),
  parent: table,
  entity_type: 'column',
  native_type,
  title: name.slice(0, 500) || '(no name)',
  description: column.optionalText('description') || null,
  ...(column.at('expression').missing ? {} : { facts: { expression: column.text('expression') } }),
})

/** Users with the right Owner; else who created it. */
const readOwners = (object: Shape, right: string) => {
  const owners = object
    .optionalList('users')
    .filter((user) => user.optionalText(right) === 'Owner' && user.optionalText('principalType') === 'User')
    .map((user) => user.optionalText('emailAddress'))
  return toOwners(...(owners.length > 0 ? owners : [object.optionalText('createdBy')]))
}

const readEndorsement = (object: Shape): { facts?: { endorsement: string } } => {
  const endorsement = object.optionalObject('endorsementDetails')?.optionalText('endorsement')
  return endorsement ? { facts: { endorsement } } : {}
}

/** Times are in UTC without saying so. */
const toUtc = (time: string | undefined): string | null =>
  time === undefined ? null : /T[\d:.]+$/.test(time) ? `${time.replace(/(\.\d{3})\d+$/, '$1')}Z` : time
