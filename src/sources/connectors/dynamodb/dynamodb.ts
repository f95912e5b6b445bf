import { type Discovered, defineConnector } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import { isObject } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { AwsClient, AwsError } from '../aws/aws-client.ts'
import { compilePatterns } from '../patterns/name-patterns.ts'
import type { SchemaField } from '../stores/fields.ts'
import { mergeDocuments, type SampledValue } from '../stores/sampled.ts'
import { nameKey, toContainerItem, toTableItems } from '../stores/tables.ts'
import { DYNAMODB_GRANTS, DYNAMODB_SETTINGS, type DynamodbSettings } from './dynamodb-settings.ts'

const SERVICE = { service: 'dynamodb', label: 'DynamoDB', target: 'DynamoDB_20120810', jsonVersion: '1.0' } as const
const REGION = 'region'
const PAGE_SIZE = 100
const CONCURRENT_TABLES = 4
const MAX_SAMPLE = 1_000

export const dynamodb = defineConnector<DynamodbSettings>({
  name: 'dynamodb',
  label: 'DynamoDB',
  version: '1.0.0',
  settings: DYNAMODB_SETTINGS,
  grants: DYNAMODB_GRANTS,

  test: async (context) => {
    const names = await Array.fromAsync(listTables(new AwsClient(SERVICE, context)))
    return `Connected to DynamoDB in ${context.settings.region}: ${names.length} tables.`
  },

  async *discover(context) {
    const { settings, log, progress } = context
    const client = new AwsClient(SERVICE, context)
    const patterns = compilePatterns(settings.include, settings.exclude)
    const names = (await Array.fromAsync(listTables(client))).filter((name) => patterns.matches(name))
    yield toContainerItem(REGION, { entity_type: 'database', native_type: 'region', title: settings.region })
    const sampler = new Sampler(client, Math.min(settings.sample_size, MAX_SAMPLE), log)
    let done = 0
    for await (const found of mapConcurrently(names, CONCURRENT_TABLES, (name) => readTable(client, sampler, name))) {
      yield* found
      done += 1
      await progress(done, names.length)
    }
  },
})

/** The next page begins after the last name of this one. */
async function* listTables(client: AwsClient): AsyncGenerator<string, void> {
  for (let after: string | undefined; ; ) {
    const page: Shape = await client.call('ListTables', { Limit: PAGE_SIZE, ...(after ? { ExclusiveStartTableName: after } : {}) })
    for (const name of page.list('TableNames')) yield typeof name.value === 'string' ? name.value : name.fail('text')
    const next = page.optionalText('LastEvaluatedTableName')
    if (!next) return
    if (after !== undefined && next <= after) throw new Error('DynamoDB: ListTables repeats the same page.')
    after = next
  }
}

const readTable = async (client: AwsClient, sampler: Sampler, name: string): Promise<Discovered[]> => {
  const key = nameKey(REGION, name)
  let table: Shape
  try {
    table = (await client.call('DescribeTable', { TableName: name })).object('Table')
  } catch (error) {
    if (!(error instanceof AwsError)) throw error
    if (error.code === 'ResourceNotFoundException') return [] // deleted after it was listed
    if (!/AccessDenied/.test(error.code)) throw error
    return [{ type: 'unlisted', key, reason: `${error.message} What is known of ${name} stays as it is.` }]
  }
  const sampled = await sampler.read(name)
  const keys = new Map(table.list('KeySchema').map((part) => [part.text('AttributeName'), part.text('KeyType')]))
  const types = new Map(table.list('AttributeDefinitions').map((each) => [each.text('AttributeName'), each.text('AttributeType')]))
  const items = toTableItems(key, {
    native_type: 'table',
    title: name,
    parent: REGION,
    fields: toFields(keys, types, sampled ?? []),
    row_count: table.optionalInteger('ItemCount'),
    byte_size: table.optionalInteger('TableSizeBytes'),
    facts: {
      arn: table.optionalText('TableArn'),
      billing: table.optionalObject('BillingModeSummary')?.optionalText('BillingMode'),
      indexes: [...table.optionalList('GlobalSecondaryIndexes'), ...table.optionalList('LocalSecondaryIndexes')].map((index) => ({
        name: index.text('IndexName'),
        columns: index.list('KeySchema').map((part) => part.text('AttributeName')),
      })),
    },
  })
  // Without a sample only the keys are known, which says nothing about the other attributes.
  return sampled ? items : [...items, { type: 'unlisted', key, reason: `The attributes of ${name} were not sampled.` }]
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ S: 'string', N: 'number', B: 'binary', BOOL: 'boolean', NULL: 'null', M: 'map', L: 'list' },
  ...{ SS: 'string set', NS: 'number set', BS: 'binary set' },
}

/** Keys first, then the attributes of indexes, then what the sample has. */
const toFields = (
  keys: ReadonlyMap<string, string>,
  types: ReadonlyMap<string, string>,
  sampled: readonly SchemaField[],
): SchemaField[] => {
  const defined = [...new Set([...keys.keys(), ...types.keys()])].map((name): SchemaField => {
    const role = keys.get(name)
    const type = types.get(name) ?? ''
    return {
      ...{ name, type: TYPES[type] ?? type, primaryKey: role !== undefined, nullable: role === undefined },
      ...(role ? { facts: { key: role === 'HASH' ? 'partition key' : 'sort key' } } : {}),
    }
  })
  return [...defined, ...sampled.filter(({ name }) => !defined.some((each) => each.name === name))]
}

/** Reads a few items of each table that may be read. */
class Sampler {
  readonly #client: AwsClient
  readonly #size: number
  readonly #log: (line: string) => Promise<void>

  constructor(client: AwsClient, size: number, log: (line: string) => Promise<void>) {
    this.#client = client
    this.#size = size
    this.#log = log
  }

  /** Undefined if it may not be read. */
  async read(table: string): Promise<SchemaField[] | undefined> {
    if (this.#size <= 0) return undefined
    try {
      const items = (await this.#client.call('Scan', { TableName: table, Limit: this.#size })).list('Items')
      return mergeDocuments(items.map(({ value }) => toDocument(value)))
    } catch (error) {
      if (!(error instanceof AwsError) || !/AccessDenied|ResourceNotFound/.test(error.code)) throw error
      await this.#log(`Could not sample ${table}: ${error.message}`)
      return undefined
    }
  }
}

const toDocument = (item: unknown): ReadonlyMap<string, SampledValue> =>
  new Map(isObject(item) ? Object.entries(item).map(([name, value]) => [name, toValue(value)]) : [])

/** `{"S": "text"}`: the type is the name. */
const toValue = (value: unknown): SampledValue => {
  const [type = '', inner] = Object.entries(isObject(value) ? value : {})[0] ?? []
  return {
    type: TYPES[type] ?? 'unknown',
    ...(type === 'M' ? { fields: toDocument(inner) } : {}),
    ...(type === 'L' && Array.isArray(inner) ? { elements: inner.map(toValue) } : {}),
  }
}
