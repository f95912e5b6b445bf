import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import { readListed } from '../bi/bi-client.ts'
import { CONCURRENT_REQUESTS } from '../bi/listing.ts'
import { compilePatterns } from '../patterns/name-patterns.ts'
import type { SchemaField } from '../stores/fields.ts'
import { nameKey, toContainerItem, toTableItems } from '../stores/tables.ts'
import { type ClusterAdmin, connectToCluster, explainKafkaError, readConsumers, readTopics, type Topic } from './cluster.ts'
import { KAFKA_GRANTS, KAFKA_SETTINGS, type KafkaSettings } from './kafka-settings.ts'
import { type RegisteredSchema, SchemaError, SchemaRegistry } from './registry.ts'
import { attachSubjects, type TopicSubjects } from './subjects.ts'

const CLUSTER = 'cluster'
const topicKey = (name: string): string => nameKey('topic', name)

type Context = RunContext<KafkaSettings>

/** `connect` replaces the brokers in tests of what the broker of the tests does not offer. */
export const createKafkaConnector = (connect: (context: Context) => ClusterAdmin = connectToCluster) =>
  defineConnector<KafkaSettings>({
    name: 'kafka',
    label: 'Kafka',
    version: '1.0.0',
    settings: KAFKA_SETTINGS,
    grants: KAFKA_GRANTS,

    test: async (context) =>
      withAdmin(connect(context), async (admin) => {
        const topics = await admin.listTopics()
        const { registry_url } = context.settings
        if (!registry_url) return `Connected to Kafka: ${topics.length} topics. Without a schema registry they have no columns.`
        const subjects = await new SchemaRegistry(context, registry_url).listSubjects()
        return `Connected to Kafka: ${topics.length} topics, ${subjects.length} subjects in the schema registry.`
      }),

    async *discover(context) {
      const admin = connect(context)
      try {
        yield* discoverTopics(admin, context)
      } catch (error) {
        throw isKafkaError(error) ? new Error(`Kafka: ${explainKafkaError(error)}`) : error
      } finally {
        await admin.close().catch(() => {})
      }
    },
  })

export const kafka = createKafkaConnector()

const withAdmin = async <T>(admin: ClusterAdmin, work: (admin: ClusterAdmin) => Promise<T>): Promise<T> => {
  try {
    return await work(admin)
  } catch (error) {
    throw isKafkaError(error) ? new Error(`Kafka: ${explainKafkaError(error)}`) : error
  } finally {
    await admin.close().catch(() => {})
  }
}

const isKafkaError = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith('PLT_KFK')

async function* discoverTopics(admin: ClusterAdmin, context: Context): AsyncGenerator<Discovered, void> {
  const { settings, log, progress } = context
  const patterns = compilePatterns(settings.include, settings.exclude)
  const all = (await admin.listTopics()).sort()
  const names = all.filter((name) => patterns.matches(name))
  const registry = settings.registry_url ? new SchemaRegistry(context, settings.registry_url) : undefined
  const subjects = registry ? await registry.listSubjects() : []
  const { byTopic, others } = attachSubjects(all, subjects)
  const needed = new Set(names.flatMap((name) => listSubjects(byTopic.get(name))))
  await registry?.prepareLatest(needed, { all: subjects.length })
  if (others.length > 0)
    await log(
      `${others.length} subjects belong to no topic by their name: ${others.slice(0, 10).join(', ')}${others.length > 10 ? ', …' : ''}.`,
    )
  const consumers = await readConsumers(admin, log)
  const { id } = await admin.metadata({ topics: [] })
  yield toContainerItem(CLUSTER, { entity_type: 'cluster', native_type: 'kafka cluster', title: id || 'Kafka' })
  let done = 0
  for await (const batch of readTopics(admin, names, log)) {
    const read = (topic: Topic) => readTopic(topic, byTopic.get(topic.name), registry, consumers.get(topic.name) ?? [], log)
    for await (const found of mapConcurrently(batch, CONCURRENT_REQUESTS, read)) yield* found
    done += batch.length
    await progress(done, names.length)
  }
}

const listSubjects = (subjects: TopicSubjects | undefined): string[] => [
  ...(subjects?.values ?? []),
  ...(subjects?.key === undefined ? [] : [subjects.key]),
]

const readTopic = async (
  topic: Topic,
  subjects: TopicSubjects | undefined,
  registry: SchemaRegistry | undefined,
  consumer_groups: readonly string[],
  log: (line: string) => Promise<void>,
): Promise<Discovered[]> => {
  const key = topicKey(topic.name)
  const unlisted: Discovered[] = []
  const load = async (subject: string): Promise<RegisteredSchema | undefined> => {
    try {
      const read = await readListed(registry!.readLatest(subject), key)
      if ('found' in read) return read.found
      unlisted.push(...read.messages)
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      await log(error.message)
      unlisted.push({ type: 'unlisted', key, reason: `${error.message} The columns of ${topic.name} stay as they are.` })
    }
    return undefined
  }
  const keySchema = subjects?.key === undefined ? undefined : await load(subjects.key)
  const values = (await Promise.all((subjects?.values ?? []).map(load))).filter((each) => each !== undefined)
  const description = values.length === 1 ? values[0]!.root.description : undefined
  return [
    ...toTableItems(key, {
      native_type: 'topic',
      title: topic.name,
      parent: CLUSTER,
      ...(registry ? { description: description ?? '' } : {}),
      fields: toFields(keySchema, values),
      row_count: topic.messages,
      facts: {
        partitions: topic.partitions,
        replicas: topic.replicas,
        ...topic.configs,
        key_schema: keySchema && describeSchema(keySchema),
        value_schemas: values.map(describeSchema),
        consumer_groups,
      },
    }),
    ...unlisted,
  ]
}

const describeSchema = ({ subject, version, id, type }: RegisteredSchema) => ({ subject, version, id, type })

/** The key is a column of its own, and the fields of the value are the columns. With several types of messages, each is a column with its fields. */
const toFields = (keySchema: RegisteredSchema | undefined, values: readonly RegisteredSchema[]): SchemaField[] => {
  const [first] = values
  const fields =
    first && values.length === 1
      ? (first.root.children ?? [{ ...first.root, name: 'value' }])
      : values.map(({ root, subject }) => ({ ...root, name: root.type.split(/[ .]/).at(-1) || subject }))
  const name = fields.some((field) => field.name === 'key') ? 'message_key' : 'key'
  return [...(keySchema ? [{ ...keySchema.root, name, primaryKey: true }] : []), ...fields]
}
