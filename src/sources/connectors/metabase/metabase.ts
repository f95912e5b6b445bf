import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { LineageSource } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { readListed } from '../bi/bi-client.ts'
import { joinUrl, toItemQuery, toOwners, toTableSource, toUsage } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listOnce } from '../bi/listing.ts'
import { findUnchanged, toVersion, withVersion } from '../bi/versions.ts'
import { MetabaseApi } from './metabase-api.ts'
import { readNativeQuery, readStructuredQuery } from './metabase-query.ts'
import { METABASE_GRANTS, METABASE_SETTINGS, type MetabaseSettings } from './metabase-settings.ts'

const cardKey = (id: number): string => `card/${id}`
const dashboardKey = (id: number): string => `dashboard/${id}`
const collectionKey = (id: string): string => `collection/${id}`

export const metabase = defineConnector<MetabaseSettings>({
  name: 'metabase',
  label: 'Metabase',
  version: '1.0.0',
  settings: METABASE_SETTINGS,
  grants: METABASE_GRANTS,

  test: async (context) => {
    const api = await MetabaseApi.connect(context)
    const user = await api.get('/api/user/current')
    const collections = (await api.get('/api/collection/')).items()
    const name = user.optionalText('common_name') ?? user.text('email')
    return `Connected to Metabase as ${name}${user.optionalBoolean('is_superuser') ? ', an administrator' : ''}: ${collections.length} collections.`
  },

  async *discover(context) {
    const api = await MetabaseApi.connect(context)
    const collections = await listCollections(api, context)
    for (const { item } of collections) yield item
    const listed = new Set<string>()
    const dashboards: ReadObject[] = []
    for (const [done, { id, key: parent }] of collections.entries()) {
      const reader = new MetabaseReader(api, context.settings.url, parent)
      const items = listOnce(api.listCollection(id), keyOf, listed) // something that is moved may be listed twice
      const read = async (each: Shape): Promise<ReadObject> => {
        const [key, version] = [keyOf(each), readVersion(each, parent)]
        const unchanged = findUnchanged(context, key, version, parent)
        return unchanged ? { ...NOTHING, key, messages: [unchanged] } : { ...(await reader.read(each)), key, version }
      }
      for await (const found of mapConcurrently(items, CONCURRENT_REQUESTS, read)) {
        if (found.shown.length > 0) dashboards.push(found)
        else yield* withVersion(found.messages, found.key, found.includes ? undefined : found.version)
      }
      await context.progress(done + 1, collections.length)
    }
    // Questions that are saved in a dashboard are in no collection: they are found with it, so it is read every time.
    const others = new Set<number>()
    for (const { key, version, shown, messages } of dashboards) {
      const inDashboard = shown.filter((id) => !listed.has(cardKey(id)))
      for (const id of inDashboard) others.add(id)
      yield* withVersion(messages, key, inDashboard.length > 0 ? undefined : version)
    }
    const reader = new MetabaseReader(api, context.settings.url)
    for await (const { messages } of mapConcurrently(others, CONCURRENT_REQUESTS, (id) => reader.readCard(id))) yield* messages
  },
})

const keyOf = (listed: Shape): string => {
  const id = listed.integer('id')
  return listed.text('model') === 'dashboard' ? dashboardKey(id) : cardKey(id)
}

/** Undefined if the list does not say when it was edited. */
const readVersion = (listed: Shape, parent: string): string | undefined => {
  const edited = listed.optionalObject('last-edit-info')?.optionalText('timestamp')
  return toVersion(edited, parent, listed.optionalText('name') ?? null, listed.optionalText('description') ?? null)
}

interface Collection {
  readonly id: string
  readonly key: string
  readonly item: Discovered
}

/** From the root down. */
const listCollections = async (api: MetabaseApi, { settings }: RunContext<MetabaseSettings>): Promise<Collection[]> => {
  const all = (await api.get('/api/collection/')).items().filter((each) => {
    const personal = each.optionalBoolean('is_personal') ?? !each.at('personal_owner_id').missing
    return !each.optionalBoolean('archived') && (settings.personal_collections || !personal)
  })
  const ids = new Set(all.map(getId))
  const depth = (each: Shape) => getPath(each).length
  return all
    .sort((a, b) => depth(a) - depth(b))
    .map((each) => {
      const id = getId(each)
      const parent = getPath(each).findLast((ancestor) => ids.has(ancestor))
      return {
        id,
        key: collectionKey(id),
        item: {
          type: 'item',
          key: collectionKey(id),
          ...(parent === undefined ? {} : { parent: collectionKey(parent) }),
          entity_type: 'dashboard_group',
          native_type: 'collection',
          title: each.text('name'),
          description: each.optionalText('description') ?? null,
          url: joinUrl(settings.url, `/collection/${id}`),
        },
      }
    })
}

/** Numbers, except for `root`. */
const getId = (collection: Shape): string => (collection.at('id').value === 'root' ? 'root' : String(collection.integer('id')))
/** `/3/373/` is in 3 and 373. */
const getPath = (collection: Shape): string[] => (collection.optionalText('location') ?? '').split('/').filter((part) => part !== '')

interface Found {
  readonly messages: readonly Discovered[]
  /** The questions a dashboard shows. */
  readonly shown: readonly number[]
  /** Its SQL contains that of other questions, whose changes are changes of this one. */
  readonly includes: boolean
}
const NOTHING: Found = { messages: [], shown: [], includes: false }

interface ReadObject extends Found {
  readonly key: string
  readonly version?: string | undefined
}

/** Reads questions and dashboards of one collection. */
class MetabaseReader {
  readonly #api: MetabaseApi
  readonly #url: string
  readonly #parent: string | undefined

  constructor(api: MetabaseApi, url: string, parent?: string) {
    this.#api = api
    this.#url = url
    this.#parent = parent
  }

  read(listed: Shape): Promise<Found> {
    const id = listed.integer('id')
    return listed.text('model') === 'dashboard' ? this.#readDashboard(id) : this.readCard(id)
  }

  async readCard(id: number): Promise<Found> {
    const key = cardKey(id)
    const card = await readListed(this.#api.get(`/api/card/${id}`), key)
    if (!('found' in card)) return { ...NOTHING, ...card }
    const shape = card.found
    if (shape.optionalBoolean('archived')) return NOTHING
    const { query, sources, definition, includes } = await this.#readQuery(shape)
    const database = shape.optionalInteger('database_id')
    return {
      includes,
      shown: [],
      messages: [
        {
          ...this.#describe(shape, key, `/question/${id}`),
          entity_type: 'chart',
          native_type: shape.text('display'),
          ...(await this.#owners(shape)),
          ...toUsage(shape.optionalInteger('view_count'), toUtc(shape.optionalText('created_at'))),
          facts: {
            kind: shape.optionalText('type') ?? 'question',
            ...(database === undefined ? {} : { database: (await this.#api.findDatabase(database))?.name ?? String(database) }),
            ...(definition === undefined ? {} : { definition }),
          },
          ...(query ? { query } : {}),
        },
        ...(sources.length > 0 ? [{ type: 'lineage' as const, to: key, from: sources }] : []),
      ],
    }
  }

  async #readDashboard(id: number): Promise<Found> {
    const key = dashboardKey(id)
    const dashboard = await readListed(this.#api.get(`/api/dashboard/${id}`), key)
    if (!('found' in dashboard)) return { ...NOTHING, ...dashboard }
    const shape = dashboard.found
    if (shape.optionalBoolean('archived')) return NOTHING
    // Before version 48 they were called ordered_cards.
    const placed = shape.at('dashcards').missing ? shape.list('ordered_cards') : shape.list('dashcards')
    const shown = placed.flatMap((each) => [
      ...toList(each.optionalInteger('card_id')),
      ...each.optionalList('series').map((card) => card.integer('id')),
    ])
    const cards = [...new Set(shown)]
    return {
      includes: false,
      shown: cards,
      messages: [
        {
          ...this.#describe(shape, key, `/dashboard/${id}`),
          entity_type: 'dashboard',
          ...(await this.#owners(shape)),
          ...toUsage(shape.optionalInteger('view_count'), toUtc(shape.optionalText('created_at'))),
        },
        ...(cards.length > 0 ? [{ type: 'lineage' as const, to: key, from: cards.map((card) => ({ item: cardKey(card) })) }] : []),
      ],
    }
  }

  #describe(shape: Shape, key: string, path: string) {
    return {
      type: 'item' as const,
      key,
      ...(this.#parent === undefined ? {} : { parent: this.#parent }),
      title: shape.text('name'),
      description: shape.optionalText('description') ?? null,
      url: joinUrl(this.#url, path),
      updated_at: toUtc(shape.optionalText('updated_at')) ?? null,
    }
  }

  async #owners(shape: Shape): Promise<{ owners?: string[] }> {
    const creator = shape.optionalObject('creator')
    const id = shape.optionalInteger('creator_id')
    return toOwners(creator?.optionalText('email') ?? (id === undefined ? undefined : await this.#api.findEmail(id)))
  }

  async #readQuery(card: Shape) {
    const dataset_query = card.object('dataset_query')
    const native = readNativeQuery(dataset_query)
    if (!native) return { query: undefined, definition: undefined, sources: await this.#readSources(dataset_query), includes: false }
    const includes = native.cards.length > 0
    const sql = await this.#api.resolveSql(native)
    const database = card.optionalInteger('database_id')
    const found = database === undefined ? undefined : await this.#api.findDatabase(database)
    const query = sql === undefined ? undefined : toItemQuery(sql, found ?? {})
    if (query) return { query, definition: undefined, sources: [], includes }
    return { query, definition: native.sql, includes, sources: native.cards.map((id) => ({ item: cardKey(id) })) }
  }

  async #readSources(dataset_query: Shape): Promise<LineageSource[]> {
    const { tables, cards, fields } = readStructuredQuery(dataset_query)
    const sources: LineageSource[] = cards.map((id) => ({ item: cardKey(id) }))
    for (const id of tables) {
      const table = await this.#api.findTable(id)
      if (!table) continue
      const columns = fields.flatMap((field) => table.fields.get(field) ?? [])
      sources.push(toTableSource(table.path, columns, table))
    }
    return sources
  }
}

const toList = (value: number | undefined): number[] => (value === undefined ? [] : [value])

/** Old versions send times in UTC without saying so. */
const toUtc = (time: string | undefined): string | undefined => (time !== undefined && /T[\d:.]+$/.test(time) ? `${time}Z` : time)
