import { Admin } from '@platformatic/kafka'
import type { RunContext } from '../../../../connector/src/define.ts'
import { splitIntoBatches } from '../bi/listing.ts'
import type { KafkaSettings } from './kafka-settings.ts'

const BATCH_TOPICS = 200
const BATCH_GROUPS = 50
const REQUEST_MS = 30_000
const LATEST = -1n
const EARLIEST = -2n
const TOPIC_RESOURCE = 2
const CONFIG_NAMES = ['cleanup.policy', 'retention.ms', 'retention.bytes']

export interface Topic {
  readonly name: string
  readonly partitions: number
  readonly replicas: number
  /** How many offsets it keeps: of a compacted topic, an upper limit of its messages. */
  readonly messages?: number | undefined
  readonly configs: Readonly<Record<string, string>>
}

/** The part of the admin client that is used. */
export type ClusterAdmin = Pick<
  Admin,
  'listTopics' | 'metadata' | 'listOffsets' | 'describeConfigs' | 'listGroups' | 'listConsumerGroupOffsets' | 'close'
>

export const connectToCluster = ({ settings }: RunContext<KafkaSettings>): ClusterAdmin => {
  const { brokers, ssl, ca, mechanism, user, password = '' } = settings
  if (!['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'].includes(mechanism))
    throw new Error('The mechanism must be PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512.')
  return new Admin({
    clientId: 'tablinum',
    bootstrapBrokers: parseBrokers(brokers),
    autocreateTopics: false,
    retries: 3,
    timeout: REQUEST_MS,
    connectTimeout: 10_000,
    ...(ssl ? { tls: ca ? { ca } : {}, tlsServerName: true } : {}),
    ...(user ? { sasl: { mechanism: mechanism as 'PLAIN', username: user, password } } : {}),
  })
}

const parseBrokers = (text: string): string[] => {
  const brokers = text
    .split(',')
    .map((broker) => broker.trim())
    .filter((broker) => broker !== '')
  const wrong = brokers.find((broker) => !/^[^\s/@]+:\d{1,5}$/.test(broker))
  if (brokers.length === 0 || wrong !== undefined) throw new Error('Brokers must be written as host:port, separated by commas.')
  return brokers
}

/** The error of the first broker rather than that of the whole operation, which says nothing. */
export const explainKafkaError = (error: unknown): string => {
  const { message, errors } = error as { message: string; errors?: readonly unknown[] }
  return errors?.[0] ? explainKafkaError(errors[0]) : message
}

/** The topics in batches, with what the user is allowed to read of them. */
export async function* readTopics(
  admin: ClusterAdmin,
  names: readonly string[],
  log: (line: string) => Promise<void>,
): AsyncGenerator<Topic[], void> {
  const optional = new OptionalReads(log)
  for (const batch of splitIntoBatches(names, BATCH_TOPICS)) {
    const { topics } = await admin.metadata({ topics: batch })
    const found = batch.flatMap((name) => {
      const topic = topics.get(name)
      return topic ? [{ name, partitions: topic.partitionsCount, replicas: topic.partitions[0]?.replicas.length ?? 0 }] : []
    })
    const messages = await optional.read('offsets', () => countMessages(admin, found))
    const configs = await optional.read('configuration of topics', () => readConfigs(admin, batch))
    yield found.map((topic) => ({ ...topic, messages: messages?.get(topic.name), configs: configs?.get(topic.name) ?? {} }))
  }
}

/** Without the right to read it, or with a broker that does not know the request, it is left out of the whole run. */
class OptionalReads {
  readonly #log: (line: string) => Promise<void>
  readonly #impossible = new Set<string>()

  constructor(log: (line: string) => Promise<void>) {
    this.#log = log
  }

  async read<T>(what: string, load: () => Promise<T>): Promise<T | undefined> {
    if (this.#impossible.has(what)) return undefined
    try {
      return await load()
    } catch (error) {
      this.#impossible.add(what)
      await this.#log(`Could not read the ${what}: ${explainKafkaError(error)}`)
      return undefined
    }
  }
}

const countMessages = async (
  admin: ClusterAdmin,
  topics: readonly { name: string; partitions: number }[],
): Promise<Map<string, number>> => {
  const readOffsets = async (timestamp: bigint): Promise<Map<string, number>> => {
    const all = topics.map(({ name, partitions }) => ({
      name,
      partitions: Array.from({ length: partitions }, (_, partitionIndex) => ({ partitionIndex, timestamp })),
    }))
    const found = await admin.listOffsets({ topics: all })
    return new Map(found.map(({ name, partitions }) => [name, partitions.reduce((sum, { offset }) => sum + Number(offset), 0)]))
  }
  const [last, first] = [await readOffsets(LATEST), await readOffsets(EARLIEST)]
  return new Map([...last].map(([name, offset]) => [name, Math.max(0, offset - (first.get(name) ?? 0))]))
}

const readConfigs = async (admin: ClusterAdmin, names: readonly string[]): Promise<Map<string, Record<string, string>>> => {
  const resources = names.map((resourceName) => ({
    resourceType: TOPIC_RESOURCE as 2,
    resourceName,
    configurationKeys: CONFIG_NAMES,
  }))
  const found = await admin.describeConfigs({ resources })
  return new Map(
    found.map(({ resourceName, configs }) => [
      resourceName,
      Object.fromEntries(configs.flatMap(({ name, value }) => (value === null || value === undefined ? [] : [[name, value]]))),
    ]),
  )
}

/** The consumer groups that have committed offsets, by topic. */
export const readConsumers = async (admin: ClusterAdmin, log: (line: string) => Promise<void>): Promise<Map<string, string[]>> => {
  const consumers = new Map<string, string[]>()
  const optional = new OptionalReads(log)
  const groups = await optional.read('consumer groups', () => admin.listGroups())
  for (const batch of splitIntoBatches([...(groups?.keys() ?? [])].sort(), BATCH_GROUPS)) {
    const offsets = await optional.read('offsets of consumer groups', () => admin.listConsumerGroupOffsets({ groups: batch }))
    for (const { groupId, topics } of offsets ?? [])
      for (const { name } of topics) consumers.set(name, [...(consumers.get(name) ?? []), groupId])
  }
  return consumers
}
