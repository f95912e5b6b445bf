import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { ItemMessage } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { readListed } from '../bi/bi-client.ts'
import { childKey, joinUrl, toItemQuery, toOwners, toUsage } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listParentsFirst } from '../bi/listing.ts'
import { findUnchanged, toVersion, withVersion } from '../bi/versions.ts'
import { LookerApi } from './looker-api.ts'
import { type Explore, listExploreSources, traceField } from './looker-explore.ts'
import { checkSettings, LOOKER_GRANTS, LOOKER_SETTINGS, type LookerSettings } from './looker-settings.ts'
import { LookmlDiscovery } from './lookml-discovery.ts'
import { openProject, testProject } from './open-lookml-project.ts'

const QUERY = 'query(id,model,view,fields)'
const ABOUT = 'id,title,description,folder(id),user_id,deleted,view_count,created_at,updated_at'
const LISTED_LOOK = 'id,updated_at,folder(id)'
const LISTED_DASHBOARD = 'id,folder(id)'
const LOOK_FIELDS = `${ABOUT},${QUERY}`
const DASHBOARD_FIELDS = `${ABOUT},dashboard_elements(id,title,title_text,type,look_id,${QUERY},result_maker(${QUERY}))`

const folderKey = (id: string): string => `folder/${id}`
const modelKey = (name: string): string => `model/${name}`
const exploreKey = (model: string, name: string): string => `explore/${model}/${name}`
const fieldKey = (model: string, explore: string, field: string): string => childKey(exploreKey(model, explore), field)
const lookKey = (id: string): string => `look/${id}`
const dashboardKey = (id: string): string => `dashboard/${id}`

export const looker = defineConnector<LookerSettings>({
  name: 'looker',
  label: 'Looker',
  version: '1.0.0',
  settings: LOOKER_SETTINGS,
  grants: LOOKER_GRANTS,

  test: async (context) => {
    checkSettings(context.settings)
    const api = context.settings.url ? await LookerApi.connect(context) : undefined
    const found = [...(api ? [await testApi(api)] : []), ...testProject(await openProject(context.settings, api))]
    return found.join(' ')
  },

  async *discover(context) {
    checkSettings(context.settings)
    const api = context.settings.url ? await LookerApi.connect(context) : undefined
    const project = await openProject(context.settings, api)
    const keys = { model: modelKey, explore: exploreKey, field: fieldKey }
    const lookml = project ? new LookmlDiscovery(project, keys, context.log) : undefined
    const discovery = api ? new LookerDiscovery(api, context.settings, lookml) : undefined
    if (discovery) yield* discovery.readFolders()
    if (lookml) yield* lookml.readViews()
    if (discovery) yield* discovery.readExplores()
    if (lookml) yield* lookml.readExplores()
    if (api && discovery) yield* readContent(api, discovery, context)
  },
})

const testApi = async (api: LookerApi): Promise<string> => {
  const user = await api.get('/user', 'display_name,email')
  const [dashboards, looks] = [await api.get('/dashboards', 'id'), await api.get('/looks', 'id')]
  const name = user.optionalText('display_name') || user.optionalText('email') || 'a user without a name'
  return `Connected to Looker as ${name}: ${dashboards.items().length} dashboards and ${looks.items().length} looks.`
}

/** Looks and dashboards. */
async function* readContent(
  api: LookerApi,
  discovery: LookerDiscovery,
  context: RunContext<LookerSettings>,
): AsyncGenerator<Discovered, void> {
  const listed = new Map<string, Shape>()
  for (const look of (await api.get('/looks', LISTED_LOOK)).items()) listed.set(lookKey(getId(look)), look)
  for (const dashboard of (await api.get('/dashboards', LISTED_DASHBOARD)).items()) listed.set(dashboardKey(getId(dashboard)), dashboard)
  const read = async ([key, object]: readonly [string, Shape]): Promise<readonly Discovered[]> => {
    const parent = discovery.findFolder(object)
    // Looker does not list when a dashboard was changed: each is read every time.
    const version = toVersion(object.optionalText('updated_at'), parent ?? null)
    const unchanged = findUnchanged(context, key, version, parent)
    return unchanged ? [unchanged] : withVersion(await discovery.read(key), key, version)
  }
  let done = 0
  for await (const found of mapConcurrently(listed, CONCURRENT_REQUESTS, read)) {
    yield* found
    done += 1
    if (done % 100 === 0) await context.progress(done, listed.size)
  }
}

/** Numbers before version 4.0 of the API, else text. */
const getId = (object: Shape, name = 'id'): string => {
  const { value } = object.at(name)
  return typeof value === 'number' ? String(value) : object.text(name)
}
const findId = (object: Shape, name: string): string | undefined => (object.at(name).missing ? undefined : getId(object, name))

class LookerDiscovery {
  readonly #api: LookerApi
  readonly #settings: LookerSettings
  readonly #folders = new Set<string>()
  readonly #hiddenFolders = new Set<string>()
  readonly #explores = new Set<string>()
  readonly #url: string
  readonly #lookml: LookmlDiscovery | undefined
  /** Fields of explores that come from views of the files, by key. */
  readonly #covered = new Set<string>()

  constructor(api: LookerApi, settings: LookerSettings, lookml: LookmlDiscovery | undefined) {
    this.#api = api
    this.#settings = settings
    this.#url = settings.url ?? ''
    this.#lookml = lookml
  }

  async *readFolders(): AsyncGenerator<Discovered, void> {
    const listed = (await this.#api.get('/folders', 'id,name,parent_id,is_personal,is_personal_descendant')).items()
    const all = new Map(listed.map((folder) => [getId(folder), folder]))
    for (const { id, object: folder, parent } of listParentsFirst(all, (each) => findId(each, 'parent_id'))) {
      const isPersonal = folder.optionalBoolean('is_personal') || folder.optionalBoolean('is_personal_descendant')
      if (isPersonal && !this.#settings.personal_folders) {
        this.#hiddenFolders.add(id)
        continue
      }
      this.#folders.add(id)
      yield {
        type: 'item',
        key: folderKey(id),
        ...(parent !== undefined && this.#folders.has(parent) ? { parent: folderKey(parent) } : {}),
        entity_type: 'dashboard_group',
        native_type: 'folder',
        title: folder.text('name') || '(no name)',
        url: joinUrl(this.#url, `/folders/${id}`),
      }
    }
  }

  async *readExplores(): AsyncGenerator<Discovered, void> {
    for (const model of (await this.#api.get('/lookml_models', 'name,label,explores(name,hidden)')).items()) {
      const name = model.text('name')
      const listed = model.optionalList('explores')
      const explores = listed.filter((explore) => !explore.optionalBoolean('hidden'))
      const hidden = listed.filter((explore) => explore.optionalBoolean('hidden'))
      this.#lookml?.addKnown(...hidden.map((explore) => exploreKey(name, explore.text('name'))))
      if (explores.length === 0) continue
      this.#lookml?.addKnown(modelKey(name))
      yield {
        type: 'item',
        key: modelKey(name),
        entity_type: 'dashboard_group',
        native_type: 'LookML model',
        title: model.optionalText('label') || name,
      }
      const names = [...new Set(explores.map((explore) => explore.text('name')))]
      for await (const found of mapConcurrently(names, CONCURRENT_REQUESTS, (explore) => this.#readExplore(name, explore))) yield* found
    }
  }

  async #readExplore(model: string, name: string): Promise<Discovered[]> {
    const key = exploreKey(model, name)
    const read = await readListed(this.#api.getExplore(model, name), key)
    if (!('found' in read)) {
      if (read.messages.length > 0) this.#lookml?.addKnown(key) // it stays as it is
      return read.messages
    }
    const explore = read.found
    this.#lookml?.addKnown(key, ...[...explore.fields.keys()].map((field) => fieldKey(model, name, field)))
    if (!explore.hasFields)
      return [{ type: 'unlisted', key, reason: `Looker: ${model}.${name} has no fields. What is known of it stays as it is.` }]
    this.#explores.add(key)
    const toKey = (field: string) => fieldKey(model, name, field)
    const views = this.#lookml?.findSources(model, name, explore.fields.keys())
    for (const field of views?.covered ?? []) this.#covered.add(toKey(field))
    const from = [...(views?.from ?? []), ...listExploreSources(explore, toKey, views?.covered)]
    const columns = [...explore.fields.values()].map(
      (field): ItemMessage => ({
        type: 'item',
        key: toKey(field.name),
        parent: key,
        entity_type: 'column',
        native_type: field.kind === 'measure' ? 'measure' : (field.type ?? 'dimension'),
        title: field.name.slice(0, 500),
        description: field.description || null,
        facts: { label: field.label ?? null, sql: field.sql },
      }),
    )
    return [
      {
        type: 'item',
        key,
        parent: modelKey(model),
        entity_type: 'table',
        native_type: 'explore',
        title: name,
        description: explore.description || null,
        url: joinUrl(this.#url, `/explore/${encodeURIComponent(model)}/${encodeURIComponent(name)}`),
        facts: { label: explore.label ?? null, tables: [...explore.tables.values()].map((path) => path.join('.')) },
      },
      ...columns,
      ...(from.length > 0 ? [{ type: 'lineage' as const, to: key, from }] : []),
    ]
  }

  /** The key of the folder it is in, if that is reported. */
  findFolder(object: Shape): string | undefined {
    const folder = object.optionalObject('folder')
    return folder && this.#folders.has(getId(folder)) ? folderKey(getId(folder)) : undefined
  }

  async read(key: string): Promise<readonly Discovered[]> {
    const [kind, id] = [key.slice(0, key.indexOf('/')), key.slice(key.indexOf('/') + 1)]
    const isLook = kind === 'look'
    const loading = this.#api.get(`/${kind}s/${encodeURIComponent(id)}`, isLook ? LOOK_FIELDS : DASHBOARD_FIELDS)
    const read = await readListed(loading, key)
    if (!('found' in read)) return read.messages
    const shape = read.found
    const folder = shape.optionalObject('folder')
    if (shape.optionalBoolean('deleted') || (folder && this.#hiddenFolders.has(getId(folder)))) return []
    const parent = this.findFolder(shape)
    const user = findId(shape, 'user_id')
    const owners = toOwners(user === undefined ? undefined : await this.#api.findEmail(user))
    const about = {
      type: 'item' as const,
      key,
      ...(parent === undefined ? {} : { parent }),
      title: (shape.at('title').value === null ? '' : shape.text('title')).slice(0, 500) || '(no name)',
      description: shape.optionalText('description') || null,
      url: joinUrl(this.#url, `/${kind}s/${encodeURIComponent(id)}`),
      updated_at: shape.optionalText('updated_at') ?? null,
      ...owners,
      ...toUsage(shape.optionalInteger('view_count'), shape.optionalText('created_at')),
    }
    return isLook ? this.#readLook(about, shape) : this.#readDashboard(about, shape, owners)
  }

  #readLook(about: Omit<ItemMessage, 'entity_type'>, look: Shape): Promise<Discovered[]> {
    return this.#readChart({ ...about, entity_type: 'chart', native_type: 'look' }, look.optionalObject('query'))
  }

  async #readDashboard(about: Omit<ItemMessage, 'entity_type'>, dashboard: Shape, owners: object): Promise<Discovered[]> {
    const found: Discovered[] = []
    const shown = new Set<string>()
    for (const element of dashboard.optionalList('dashboard_elements')) {
      const look = findId(element, 'look_id')
      if (look !== undefined) {
        shown.add(lookKey(look))
        continue
      }
      const query = element.optionalObject('query') ?? element.optionalObject('result_maker')?.optionalObject('query')
      const key = childKey(about.key, `element/${getId(element)}`)
      if (!query || shown.has(key)) continue // a text
      shown.add(key)
      const title = element.optionalText('title') || element.optionalText('title_text') || '(no name)'
      const item = { type: 'item', key, parent: about.key, entity_type: 'chart', native_type: 'tile', title: title.slice(0, 500) } as const
      found.push(...(await this.#readChart({ ...item, url: about.url ?? null, ...owners }, query)))
    }
    const lineage = { type: 'lineage' as const, to: about.key, from: [...shown].map((item) => ({ item })) }
    return [{ ...about, entity_type: 'dashboard' }, ...found, ...(shown.size > 0 ? [lineage] : [])]
  }

  /** Its lineage comes from the fields of its explore, or from its SQL if the explore is not made of tables alone. */
  async #readChart(item: ItemMessage, query: Shape | undefined): Promise<Discovered[]> {
    const [model, view] = [query?.optionalText('model'), query?.optionalText('view')]
    if (!query || !model || !view) return [item]
    const fields = query.optionalList('fields').map(({ value }) => String(value))
    const described = { ...item, facts: { model, explore: view, fields } }
    const key = exploreKey(model, view)
    const explore = await this.#api.findExplore(model, view)
    const isTraced = (found: Explore, field: string) =>
      this.#covered.has(fieldKey(model, view, field)) || traceField(found, field) !== undefined
    if (explore && this.#explores.has(key) && fields.every((field) => !explore.fields.has(field) || isTraced(explore, field))) {
      const columns = fields.filter((field) => explore.fields.has(field)).map((field) => fieldKey(model, view, field))
      return [described, { type: 'lineage', to: item.key, from: [{ item: key, columns }] }]
    }
    const id = findId(query, 'id')
    const sql = id === undefined ? undefined : await this.#api.findSql(id)
    const made = sql === undefined ? undefined : toItemQuery(sql, explore?.database ?? {})
    return [{ ...described, ...(made ? { query: made } : {}) }]
  }
}
