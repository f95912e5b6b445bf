import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { isObject, type Json } from '../../platform/core/json-value.ts'
import { distributeLineage } from './column-lineage.ts'
import { type Dataset, EVENT_TYPES, type Event, type EventType, type Facets } from './event.ts'

/** Parses a body: an event, a list of events, or an object with a list. Errors name the position. Pure. */
export const parseEvents = (body: unknown): Event[] => {
  const several = Array.isArray(body)
    ? { list: body, at: '' }
    : isObject(body) && Array.isArray(body.events)
      ? { list: body.events, at: 'events' }
      : null
  if (!several) return [parseEvent(body, '')]
  if (several.list.length > MAX_EVENTS)
    throw invalid({ [several.at || 'body']: [`At most ${MAX_EVENTS.toLocaleString('en')} events per request.`] })
  return several.list.map((each, i) => parseEvent(each, `${several.at}[${i}]`))
}

const MAX_EVENTS = 1000
const MAX_DATASETS = 1000
const MAX_NAME_LENGTH = 4000

const parseEvent = (value: unknown, at: string): Event => {
  const event = parseObject(value, at)
  const inside = (name: string) => (at ? `${at}.${name}` : name)
  const time = parseTime(event.eventTime, inside('eventTime'))
  if (isObject(event.dataset)) {
    const dataset = parseDataset(event.dataset, inside('dataset'))
    return { kind: 'dataset', time, inputs: [], outputs: [dataset] }
  }
  const base = { time, inputs: parseDatasets(event.inputs, inside('inputs')), outputs: parseDatasets(event.outputs, inside('outputs')) }
  const job = { ...parseNames(event.job, inside('job')), facets: toFacets((event.job as Json).facets) }
  if (event.run === undefined || event.run === null)
    return { kind: 'job', ...base, outputs: distributeLineage(base.outputs, job.facets), job }
  const run = parseObject(event.run, inside('run'))
  const id = typeof run.runId === 'string' ? parseId(run.runId) : undefined
  if (!id) throw invalid({ [inside('run.runId')]: ['must be a UUID.'] })
  const facets = toFacets(run.facets)
  const outputs = distributeLineage(base.outputs, job.facets, facets)
  return { kind: 'run', type: parseType(event.eventType, inside('eventType')), ...base, outputs, run: { id, facets }, job }
}

const parseObject = (value: unknown, at: string): Json => {
  if (!isObject(value)) throw invalid({ [at || 'body']: [value === undefined ? 'is required.' : 'must be an object.'] })
  return value
}

const parseTime = (value: unknown, at: string): string => {
  const [text] = (typeof value === 'string' && /^\d{4}-\d\d-\d\d[Tt ].*/s.exec(value)) || []
  // Some clients omit the time zone: they mean UTC, not the time zone of this server.
  const time = text ? Date.parse(/([Zz]|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`) : Number.NaN
  if (Number.isNaN(time))
    throw invalid({ [at]: [value === undefined ? 'is required.' : 'must be a timestamp, e.g. 2026-01-02T03:04:05Z.'] })
  return new Date(time).toISOString()
}

const parseType = (value: unknown, at: string): EventType => {
  if (value === undefined || value === null) return 'OTHER'
  const type = EVENT_TYPES.find((each) => each === value)
  if (!type) throw invalid({ [at]: [`must be one of ${EVENT_TYPES.join(', ')}.`] })
  return type
}

const parseNames = (value: unknown, at: string): { namespace: string; name: string } => {
  const thing = parseObject(value, at)
  for (const field of ['namespace', 'name'] as const) {
    const text = thing[field]
    if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_NAME_LENGTH)
      throw invalid({ [`${at}.${field}`]: [text === undefined ? 'is required.' : `must be text of 1 to ${MAX_NAME_LENGTH} characters.`] })
  }
  return { namespace: thing.namespace as string, name: thing.name as string }
}

const parseDatasets = (value: unknown, at: string): Dataset[] => {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw invalid({ [at]: ['must be an array.'] })
  if (value.length > MAX_DATASETS) throw invalid({ [at]: [`At most ${MAX_DATASETS.toLocaleString('en')} datasets.`] })
  return value.map((each, i) => parseDataset(each, `${at}[${i}]`))
}

const parseDataset = (value: unknown, at: string): Dataset => {
  const { facets, inputFacets, outputFacets } = parseObject(value, at)
  return { ...parseNames(value, at), facets: toFacets(facets), use: { ...toFacets(inputFacets), ...toFacets(outputFacets) } }
}

/** Facets can contain anything: those that are not objects are ignored. */
const toFacets = (value: unknown): Facets =>
  isObject(value) ? (Object.fromEntries(Object.entries(value).filter(([, facet]) => isObject(facet))) as Facets) : {}
