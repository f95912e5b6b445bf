import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { createRuntime } from '../src/app/runtime.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect } from '../src/platform/db/connect.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import type { ClusterAdmin } from '../src/sources/connectors/kafka/cluster.ts'
import { createKafkaConnector } from '../src/sources/connectors/kafka/kafka.ts'
import { buildItemKey, type Item } from '../src/sources/sync/item.ts'
import { reconcile } from '../src/sources/sync/reconcile.ts'
import { SIZE } from './environment.ts'
import { table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * Memory of a sync of a generated Kafka with a schema registry, with a tenth of the topics and with all: the discovery, which is a program of its own
 * in the product, and the process that writes what it found. Each is measured in a process of its own, and so is the registry.
 */
const TOPICS = Math.max(500, Math.min(50_000, Math.round(SIZE / 20)))
const FIELDS = 10
const CATALOG = 'bench_kafka_memory'

export const benchKafkaMemory = (): Promise<string> => withTemporaryPostgres(measure, { max_wal_size: '8GB' })

const measure = async (serverUrl: string): Promise<string> => {
  const rows: (string | number)[][] = []
  for (const topics of [TOPICS / 10, TOPICS]) {
    const registry = fork(new URL(import.meta.url), ['registry', String(topics)])
    const [port] = (await once(registry, 'message')) as [number]
    const what = `${topics.toLocaleString('en')} topics`
    rows.push([`discovery of ${what}`, ...(await measureElsewhere('discover', String(topics), `http://127.0.0.1:${port}`))])
    await stop(registry)
    const { url, id } = await createCatalog(serverUrl, `${CATALOG}_${topics}`)
    rows.push([`first sync of ${what}`, ...(await measureElsewhere('sync', String(topics), url, id))])
    rows.push([`second, unchanged`, ...(await measureElsewhere('sync', String(topics), url, id))])
  }
  return table(
    `Memory of a sync of Kafka: a key and a value of ${FIELDS} fields for each topic`,
    ['', 'seconds', 'MB RSS at its peak', 'MB of live objects at their peak'],
    rows,
  )
}

const createCatalog = async (serverUrl: string, name: string): Promise<{ url: string; id: string }> => {
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const admin = connect(serverUrl, { poolSize: 1, statementTimeoutMs: 0 })
  await sql.raw(`create database ${name}`).execute(admin.db)
  await admin.close()
  const catalog = connect(url, { statementTimeoutMs: 0 })
  await prepareDatabase(catalog.db)
  await migrateQueue(url)
  const id = newId()
  const times = { created_at: new Date(), updated_at: new Date() }
  await catalog.db
    .insertInto('integrations')
    .values({ id, name: 'Kafka', type: 'kafka', ...times })
    .execute()
  await catalog.close()
  return { url, id }
}

const measureElsewhere = async (...args: string[]): Promise<number[]> => {
  const child = fork(new URL(import.meta.url), args)
  const [row] = (await once(child, 'message')) as [number[]]
  await once(child, 'exit')
  console.error(args[0], args[1], row.join(' | ')) // minutes pass between them
  return row
}

const stop = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit')
  child.kill()
  await exited
}

/** `sample` is called now and then while it works: what is live is counted after a collection. */
const reportMemory = async (work: (sample: () => void) => Promise<void>): Promise<void> => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const start = performance.now()
  let live = 0
  await work(() => {
    collect()
    live = Math.max(live, process.memoryUsage().heapUsed / 2 ** 20)
  })
  process.send!([(performance.now() - start) / 1000, process.resourceUsage().maxRSS / 1024, live])
  process.disconnect()
}

const SAMPLES = 10

const discover = (topics: number, registry_url: string): Promise<void> =>
  reportMemory(async (sample) => {
    const context = {
      ...{ settings: { brokers: 'localhost:9092', mechanism: 'PLAIN', ssl: false, registry_url }, allowedHosts: ['127.0.0.1'] },
      ...{ state: undefined, versions: new Map(), log: async () => {}, progress: async () => {} },
    }
    let found = 0
    for await (const each of createKafkaConnector(() => createAdmin(topics)).discover(context as never))
      if (each.type === 'item' && each.native_type === 'topic' && found++ % Math.ceil(topics / SAMPLES) === 0) sample()
    if (found !== topics) throw new Error(`${found} of ${topics} topics were found.`)
  })

/** Brokers that answer from memory. */
const createAdmin = (topics: number): ClusterAdmin => {
  const names = Array.from({ length: topics }, (_, i) => topicName(i))
  const admin = {
    listTopics: async () => names,
    metadata: async ({ topics }: { topics: string[] }) => ({
      id: 'cluster',
      topics: new Map(topics.map((name) => [name, { partitionsCount: 6, partitions: [{ replicas: [1, 2, 3] }] }])),
    }),
    listOffsets: async ({ topics }: { topics: { name: string }[] }) =>
      topics.map(({ name }) => ({ name, partitions: [{ offset: 10n, partitionIndex: 0 }] })),
    describeConfigs: async ({ resources }: { resources: { resourceName: string }[] }) =>
      resources.map(({ resourceName }) => ({ resourceName, configs: [{ name: 'retention.ms', value: '604800000' }] })),
    listGroups: async () => new Map(),
    listConsumerGroupOffsets: async () => [],
    close: async () => {},
  }
  return admin as never
}

const topicName = (i: number): string => `shop.orders.topic-${i}`

const sync = (topics: number, url: string, id: string): Promise<void> =>
  reportMemory(async (sample) => {
    await using runtime = createRuntime(url)
    const ctx: Context = {
      ...{ db: runtime.databases.background.db, runtime, workspace_id: newId(), actor: SYSTEM, now: new Date(), limits: {} },
    }
    await reconcile(ctx, { id, sync_id: newId(), whole: true }, listItems(topics, sample), async () => {})
    sample()
  })

/** What the discovery finds. */
async function* listItems(topics: number, sample: () => void): AsyncGenerator<Item, void> {
  yield { key: 'cluster', entity_type: 'cluster', fields: { title: 'Kafka', native_type: 'kafka cluster' } }
  for (let i = 0; i < topics; i += 1) {
    if (i % Math.ceil(topics / SAMPLES) === 0) sample()
    const key = buildItemKey('topic', topicName(i))
    yield {
      ...{ key, parent: 'cluster', entity_type: 'table', reported: { row_count: 60 } },
      fields: { title: topicName(i), native_type: 'topic', description: `What happened in ${i}.` },
      facts: {
        partitions: 6,
        replicas: 3,
        'retention.ms': '604800000',
        value_schemas: [{ subject: `${topicName(i)}-value`, version: 1, id: i }],
      },
    }
    for (const [at, title] of ['key', ...fieldNames()].entries())
      yield {
        ...{ key: buildItemKey('topic', topicName(i), title), parent: key, entity_type: 'column', own: { sort_order: at + 1 } },
        fields: { title, native_type: 'string' },
      }
  }
}

const fieldNames = (): string[] => Array.from({ length: FIELDS }, (_, i) => `field_${i}`)

/** A registry with pages, as Confluent's: two subjects for each topic. */
const serve = (topics: number): void => {
  const subjects = Array.from({ length: topics }, (_, i) => [`${topicName(i)}-key`, `${topicName(i)}-value`]).flat()
  const positions = new Map(subjects.map((subject, at) => [subject, at]))
  const toVersion = (subject: string, at: number) => ({
    subject,
    version: 1,
    id: at + 1,
    schema: subject.endsWith('-key') ? '"string"' : createSchema(at),
  })
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://registry')
    const offset = Number(searchParams.get('offset') ?? 0)
    const page = subjects.slice(offset, offset + Number(searchParams.get('limit') ?? subjects.length))
    const [, one = ''] = /^\/subjects\/([^/]+)\/versions\/latest$/.exec(pathname) ?? []
    const subject = decodeURIComponent(one)
    const body =
      pathname === '/subjects'
        ? subjects
        : pathname === '/schemas'
          ? page.map((each, i) => toVersion(each, offset + i))
          : toVersion(subject, positions.get(subject)!)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
}

const createSchema = (i: number): string =>
  JSON.stringify({
    ...{ type: 'record', name: `Order${i}`, namespace: 'com.example.shop', doc: `What happened in ${i}.` },
    fields: fieldNames().map((name) => ({
      name,
      type: ['null', 'string'],
      default: null,
      doc: `The ${name} of an order, as the shop writes it.`,
    })),
  })

if (process.argv[2] === 'registry') serve(Number(process.argv[3]))
else if (process.argv[2] === 'discover') await discover(Number(process.argv[3]), process.argv[4]!)
else if (process.argv[2] === 'sync') await sync(Number(process.argv[3]), process.argv[4]!, process.argv[5]!)
else if (import.meta.main) console.log(await benchKafkaMemory())
