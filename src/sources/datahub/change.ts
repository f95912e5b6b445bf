import { ApiError, invalid } from '../../platform/core/errors.ts'
import { isObject } from '../../platform/core/json-value.ts'
import { assertDepth } from '../../platform/http/body.ts'

/** One change of one aspect of one entity, from any of the forms in which DataHub's connectors write them. Pure. */
export interface AspectChange {
  readonly urn: string
  readonly entity_type: string
  readonly aspect: string
  readonly change: 'upsert' | 'patch' | 'delete'
  readonly value: Aspect
  /** The name of the ingestion pipeline, if the recipe has one. */
  readonly pipeline?: string
  /** The run that emitted it, if it has an ID. */
  readonly run?: string
}

// biome-ignore lint/suspicious/noExplicitAny: aspects have hundreds of shapes; every reader checks what it takes
export type Aspect = any

/** The aspect that stands for the deletion of the whole entity. */
export const WHOLE_ENTITY = '*'

const MAX_URN_LENGTH = 4000
/** Types of entities and names of aspects. */
const NAME = /^[A-Za-z]\w{0,199}$/

/** An event that cannot be read. */
export interface RejectedEvent extends Pick<AspectChange, 'pipeline' | 'run'> {
  readonly event: unknown
  readonly error: ApiError
}

export interface ParsedEvents {
  readonly changes: readonly AspectChange[]
  readonly rejected: readonly RejectedEvent[]
}

/** Events as in a file: a list of change proposals (MCP) and snapshots (MCE), or one of them. */
export const parseEvents = (body: unknown): ParsedEvents => parseEach(Array.isArray(body) ? body : [body], 'events', parseEvent)

/** One wrong event does not concern the others. If none is right, the error of the first one is that of the request. */
export const parseEach = (
  events: readonly unknown[],
  name: string,
  parse: (event: unknown, place: string) => AspectChange | readonly AspectChange[],
): ParsedEvents => {
  const changes: AspectChange[] = []
  const rejected: RejectedEvent[] = []
  for (const [i, event] of events.entries())
    try {
      changes.push(...[parse(event, `${name}[${i}]`)].flat())
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      rejected.push({ event, error, ...getSender(isObject(event) ? event.systemMetadata : undefined) })
    }
  if (changes.length === 0 && rejected[0]) throw rejected[0].error
  return { changes, rejected }
}

const parseEvent = (event: unknown, place: string): AspectChange[] => {
  if (!isObject(event)) throw invalid({ [place]: ['must be an object with proposedSnapshot or entityUrn and aspectName.'] })
  if (isObject(event.proposedSnapshot)) return parseSnapshot(event.proposedSnapshot, place, event.systemMetadata)
  if ('bucket' in event && 'resource' in event) return [parseUsage(event, place)]
  return [parseProposal(isAvroProposal(event) ? readAvroProposal(event) : event, place)]
}

/** As consumers of DataHub's topics in Kafka write it: optional values with their types, and bytes as letters of Latin-1. */
const isAvroProposal = ({ entityUrn, aspectName, aspect }: Record<string, unknown>): boolean =>
  isObject(entityUrn) || isObject(aspectName) || (isObject(aspect) && Object.keys(aspect).some((name) => name.startsWith('com.linkedin.')))

const readAvroProposal = (event: Record<string, unknown>): unknown => {
  const { aspect, ...about } = Object.fromEntries(Object.entries(event).map(([name, value]) => [name, unwrapUnions(value)]))
  const { value } = isObject(aspect) ? aspect : {}
  return { ...about, aspect: typeof value === 'string' ? { ...aspect, value: Buffer.from(value, 'latin1').toString('utf8') } : aspect }
}

/** A change proposal: one aspect as an object (`json`), or as JSON text (`value`). */
export const parseProposal = (event: unknown, place: string): AspectChange => {
  if (!isObject(event)) throw invalid({ [place]: ['must be an object.'] })
  const { entityUrn: urn, aspectName: aspect, entityType } = event
  const changeType = event.changeType ?? 'UPSERT'
  requireUrn(urn, `${place}.entityUrn`)
  const change = CHANGES.get(changeType)
  if (!change) throw invalid({ [`${place}.changeType`]: [`must be one of ${[...CHANGES.keys()].join(', ')}.`] })
  const entity_type = requireName(entityType ?? getEntityType(urn), `${place}.entityType`)
  const about = { urn, entity_type, change, ...getSender(event.systemMetadata) }
  const isKey = aspect === `${entity_type}Key`
  if (aspect === undefined || aspect === null || (isKey && change === 'delete')) {
    if (change !== 'delete') throw invalid({ [`${place}.aspectName`]: ['is missing.'] })
    return { ...about, aspect: WHOLE_ENTITY, value: null }
  }
  requireName(aspect, `${place}.aspectName`)
  return { ...about, aspect: aspect as string, value: change === 'delete' ? null : parseAspect(event.aspect, `${place}.aspect`) }
}

const CHANGES: ReadonlyMap<unknown, AspectChange['change']> = new Map([
  ['UPSERT', 'upsert'],
  ['CREATE', 'upsert'],
  ['CREATE_ENTITY', 'upsert'],
  ['UPDATE', 'upsert'],
  ['RESTATE', 'upsert'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
])

const parseAspect = (aspect: unknown, place: string): Aspect => {
  if (!isObject(aspect)) throw invalid({ [place]: ['must be an object with json or value.'] })
  const value = 'json' in aspect ? aspect.json : aspect.value
  if (typeof value !== 'string') {
    if (value === null || typeof value !== 'object') throw invalid({ [place]: ['must be an object with json or value.'] })
    return value
  }
  assertDepth(value)
  try {
    return JSON.parse(value)
  } catch {
    throw invalid({ [`${place}.value`]: ['is not valid JSON.'] })
  }
}

/** Usage as older connectors report it: how often a dataset was queried in an hour or a day. */
export const parseUsage = (usage: unknown, place: string): AspectChange => {
  if (!isObject(usage)) throw invalid({ [place]: ['must be an object.'] })
  const { resource, bucket, duration, metrics } = usage
  requireUrn(resource, `${place}.resource`)
  const value = { ...(isObject(metrics) ? metrics : {}), timestampMillis: bucket, eventGranularity: { unit: duration, multiple: 1 } }
  const entity_type = requireName(getEntityType(resource), `${place}.resource`)
  return { urn: resource, entity_type, aspect: 'datasetUsageStatistics', change: 'upsert', value }
}

/** A snapshot: several aspects of one entity, each under the name of its class (`com.linkedin.schema.SchemaMetadata`). */
export const parseSnapshot = (snapshot: unknown, place: string, systemMetadata?: unknown): AspectChange[] => {
  const [body] = isObject(snapshot) ? Object.values(snapshot) : []
  if (!isObject(body)) throw invalid({ [place]: ['must contain a snapshot with urn and aspects.'] })
  const { urn, aspects } = body
  requireUrn(urn, `${place}.urn`)
  if (!Array.isArray(aspects)) throw invalid({ [`${place}.aspects`]: ['must be a list.'] })
  const entity_type = requireName(getEntityType(urn), `${place}.urn`)
  const about = { urn, entity_type, change: 'upsert', ...getSender(systemMetadata) } as const
  return aspects.flatMap((each, i) => {
    if (!isObject(each)) throw invalid({ [`${place}.aspects[${i}]`]: ['must be an object.'] })
    return Object.entries(each).map(([name, value]) => ({
      ...about,
      aspect: requireName(toAspectName(name), `${place}.aspects[${i}]`),
      value: unwrapUnions(value),
    }))
  })
}

/**
 * Avro's JSON has the type of every optional value: `{"string": "x"}`, `{"com.linkedin…AuditStamp": {…}}`. Maps of people's own names stay as
 * they are, and so do unions of which the type is the value.
 */
const unwrapUnions = (value: unknown, name?: string): Aspect => {
  if (Array.isArray(value)) return value.map((each) => unwrapUnions(each))
  if (!isObject(value) || (name && NO_UNIONS.has(name))) return value
  const entries = Object.entries(value)
  const [only] = entries
  if (entries.length === 1 && UNION_TYPE.test(only![0])) return unwrapUnions(only![1], only![0] === 'map' ? 'customProperties' : name)
  return Object.fromEntries(entries.map(([name, each]) => [name, unwrapUnions(each, name)]))
}

const UNION_TYPE = /^(?:string|boolean|int|long|float|double|bytes|array|map|com\.linkedin\..+)$/
const NO_UNIONS = new Set(['customProperties', 'type', 'platformSchema', 'ownerTypes', 'nativeResults'])

/** `com.linkedin.pegasus2avro.schema.SchemaMetadata` → `schemaMetadata`, `…MLModelProperties` → `mlModelProperties`. */
const toAspectName = (className: string): string =>
  className
    .split('.')
    .at(-1)!
    .replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase())

/** `urn:li:dataset:(…)` → `dataset` */
const getEntityType = (urn: string): string => urn.split(':')[2] ?? ''

const getSender = (systemMetadata: unknown): Pick<AspectChange, 'pipeline' | 'run'> => {
  const { pipelineName, runId } = isObject(systemMetadata) ? systemMetadata : {}
  return {
    ...(typeof pipelineName === 'string' && pipelineName !== '' ? { pipeline: pipelineName } : {}),
    ...(typeof runId === 'string' && runId !== '' && runId !== NO_RUN_ID ? { run: runId } : {}),
  }
}

const NO_RUN_ID = 'no-run-id-provided' // DataHub's default

function requireUrn(urn: unknown, place: string): asserts urn is string {
  if (typeof urn !== 'string' || !urn.startsWith('urn:li:') || urn.length > MAX_URN_LENGTH)
    throw invalid({ [place]: [`must be a URN of at most ${MAX_URN_LENGTH.toLocaleString('en')} characters, such as urn:li:dataset:(…).`] })
}

const requireName = (name: unknown, place: string): string => {
  if (typeof name === 'string' && NAME.test(name)) return name
  throw invalid({ [place]: ['must have a name of letters, digits and underscores, such as dataset or datasetProperties.'] })
}
