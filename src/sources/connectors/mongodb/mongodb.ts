import { type CollectionInfo, type Db, MongoClient, MongoServerError } from 'mongodb'
import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { compilePatterns, type Patterns } from '../shared/name-patterns.ts'
import type { SchemaField } from '../stores/fields.ts'
import { mergeDocuments } from '../stores/sampled.ts'
import { nameKey, toContainerItem, toTableItems } from '../stores/tables.ts'
import { toSampledDocument } from './documents.ts'
import { MONGODB_SETTINGS, type MongodbSettings } from './mongodb-settings.ts'

type Context = RunContext<MongodbSettings>

const CONNECT_MS = 10_000
const SAMPLE_MS = 30_000
const MAX_SAMPLE = 1_000
const SYSTEM_DATABASES = ['admin', 'config', 'local']

export const mongodb = defineConnector<MongodbSettings>({
  name: 'mongodb',
  label: 'MongoDB',
  version: '1.0.0',
  settings: MONGODB_SETTINGS,
  grants:
    'A user with the role read on the databases, or readAnyDatabase. A sample of documents is read to find their fields; values are not stored.',

  test: (context) =>
    withClient(context, async (client) => {
      const { version } = await client.db('admin').command({ buildInfo: 1 })
      const databases = await listDatabases(client, context.settings)
      return `Connected to MongoDB ${version}: ${databases.length} databases.`
    }),

  async *discover(context) {
    const client = connect(context.settings)
    try {
      yield* discoverDatabases(client, context)
    } finally {
      await client.close()
    }
  },
})

const connect = ({ url, user, password = '', auth_source }: MongodbSettings): MongoClient => {
  if (!/^mongodb(\+srv)?:\/\//.test(url)) throw new Error('The URL must start with mongodb:// or mongodb+srv://.')
  if (/^[^/]+:\/\/[^/?]*@/.test(url)) throw new Error('The URL must not contain a user or password: they have fields of their own.')
  return new MongoClient(url, {
    appName: 'tablinum',
    ...(user ? { auth: { username: user, password }, authSource: auth_source } : {}),
    readPreference: 'secondaryPreferred',
    serverSelectionTimeoutMS: CONNECT_MS,
    connectTimeoutMS: CONNECT_MS,
    maxPoolSize: 4,
    retryWrites: false,
    promoteValues: false, // integers keep their type
  })
}

const withClient = async <T>(context: Context, work: (client: MongoClient) => Promise<T>): Promise<T> => {
  const client = connect(context.settings)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

const listDatabases = async (client: MongoClient, { database }: MongodbSettings): Promise<string[]> => {
  if (database) return [database]
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true, authorizedDatabases: true })
  return databases
    .map(({ name }) => String(name))
    .filter((name) => !SYSTEM_DATABASES.includes(name))
    .sort()
}

async function* discoverDatabases(client: MongoClient, context: Context): AsyncGenerator<Discovered, void> {
  const patterns = compilePatterns(context.settings.include, context.settings.exclude)
  const databases = await listDatabases(client, context.settings)
  for (const [done, name] of databases.entries()) {
    const db = client.db(name)
    const collections = await listCollections(db, name, patterns)
    if (collections.length > 0 || patterns.all)
      yield toContainerItem(nameKey(name), { entity_type: 'database', native_type: 'database', title: name })
    for (const collection of collections) yield* await readCollection(db, name, collection, context)
    const views = new Set(collections.map((each) => each.name))
    for (const { name: view, options } of collections) {
      const source = options?.viewOn === undefined ? undefined : String(options.viewOn)
      if (source !== undefined && views.has(source))
        yield { type: 'lineage', to: nameKey(name, view), from: [{ item: nameKey(name, source) }] }
    }
    await context.progress(done + 1, databases.length)
  }
}

const listCollections = async (db: Db, database: string, patterns: Patterns): Promise<CollectionInfo[]> => {
  const all = await db.listCollections({}, { authorizedCollections: true, nameOnly: false }).toArray()
  return (all as CollectionInfo[])
    .filter(({ name }) => !String(name).startsWith('system.') && patterns.matches(database, String(name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

const UNAUTHORIZED = 13

/** A collection that may not be read is named with what is known of it; its fields stay as they are. */
const readCollection = async (db: Db, database: string, info: CollectionInfo, { settings, log }: Context): Promise<Discovered[]> => {
  const key = nameKey(database, info.name)
  const isView = info.type === 'view'
  const ifAllowed = async <T>(what: string, load: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await load()
    } catch (error) {
      if (!(error instanceof MongoServerError) || Number(error.code) !== UNAUTHORIZED) throw error
      await log(`Could not read the ${what} of ${database}.${info.name}: ${error.message}`)
      return undefined
    }
  }
  const collection = db.collection(info.name)
  const sample = await ifAllowed('documents', () =>
    collection
      .aggregate([{ $sample: { size: Math.max(1, Math.min(settings.sample_size, MAX_SAMPLE)) } }], { maxTimeMS: SAMPLE_MS })
      .toArray(),
  )
  const count = isView ? undefined : await ifAllowed('size', () => collection.estimatedDocumentCount())
  const indexes = isView ? undefined : await ifAllowed('indexes', () => collection.indexes())
  const options = info.options ?? {}
  const items = toTableItems(key, {
    native_type: isView ? 'view' : info.type === 'timeseries' ? 'time series' : 'collection',
    title: info.name,
    parent: nameKey(database),
    fields: markKey(mergeDocuments((sample ?? []).map(toSampledDocument))),
    row_count: count === undefined ? undefined : Number(count),
    facts: {
      view_on: options.viewOn === undefined ? undefined : String(options.viewOn),
      pipeline: options.pipeline === undefined ? undefined : JSON.stringify(options.pipeline).slice(0, 10_000),
      sampled: sample?.length,
      indexes: (indexes ?? [])
        .filter(({ name }) => String(name) !== '_id_')
        .map(({ name, key: columns, unique }) => ({
          name: String(name),
          columns: Object.keys(columns ?? {}),
          ...(unique ? { unique: true } : {}),
        })),
    },
  })
  return sample ? items : [...items, { type: 'unlisted', key, reason: `The fields of ${database}.${info.name} stay as they are.` }]
}

const markKey = (fields: readonly SchemaField[]): SchemaField[] =>
  fields.map((field) => (field.name === '_id' ? { ...field, primaryKey: true } : field))
