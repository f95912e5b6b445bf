import { invalid } from '../errors.ts'
import { readId } from '../id.ts'
import { withLineage } from './column-lineage.ts'
import { type Dataset, EVENT_TYPES, type Event, type EventType, type Facets } from './event.ts'

/** Parses a body: an event, a list of events, or an object with a list. Errors name the position. Pure. */
export const readEvents = (body: unknown): Event[] => {
  const several = Array.isArray(body)
    ? { list: body, at: '' }
    : isObject(body) && Array.isArray(body.events)
      ? { list: body.events, at: 'events' }
      : null
  if (!several) return [readEvent(body, '')]
  if (several.list.length > MOST_EVENTS)
    throw invalid({ [several.at || 'body']: [`At most ${MOST_EVENTS.toLocaleString('en')} events per request.`] })
  return several.list.map((each, i) => readEvent(each, `${several.at}[${i}]`))
}

const MOST_EVENTS = 1000
const MOST_DATASETS = 1000
const LONGEST_NAME = 4000

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const readEvent = (value: unknown, at: string): Event => {
  const event = objectAt(value, at)
  const inside = (name: string) => (at ? `${at}.${name}` : name)
  const time = timeAt(event.eventTime, inside('eventTime'))
  if (isObject(event.dataset)) {
    const dataset = datasetAt(event.dataset, inside('dataset'))
    return { kind: 'dataset', time, inputs: [], outputs: [dataset] }
  }
  const told = { time, inputs: datasetsAt(event.inputs, inside('inputs')), outputs: datasetsAt(event.outputs, inside('outputs')) }
  const job = { ...namesAt(event.job, inside('job')), facets: facetsOf((event.job as Json).facets) }
  if (event.run === undefined || event.run === null) return { kind: 'job', ...told, outputs: withLineage(told.outputs, job.facets), job }
  const run = objectAt(event.run, inside('run'))
  const id = typeof run.runId === 'string' ? readId(run.runId) : undefined
  if (!id) throw invalid({ [inside('run.runId')]: ['must be a UUID.'] })
  const facets = facetsOf(run.facets)
  const outputs = withLineage(told.outputs, job.facets, facets)
  return { kind: 'run', type: typeAt(event.eventType, inside('eventType')), ...told, outputs, run: { id, facets }, job }
}

const objectAt = (value: unknown, at: string): Json => {
  if (!isObject(value)) throw invalid({ [at || 'body']: [value === undefined ? 'is required.' : 'must be an object.'] })
  return value
}

const timeAt = (value: unknown, at: string): string => {
  const [text] = (typeof value === 'string' && /^\d{4}-\d\d-\d\d[Tt ].*/s.exec(value)) || []
  // Some clients omit the time zone: they mean UTC, not the time zone of this server.
  const time = text ? Date.parse(/([Zz]|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`) : Number.NaN
  if (Number.isNaN(time))
    throw invalid({ [at]: [value === undefined ? 'is required.' : 'must be a timestamp, e.g. 2026-01-02T03:04:05Z.'] })
  return new Date(time).toISOString()
}

const typeAt = (value: unknown, at: string): EventType => {
  if (value === undefined || value === null) return 'OTHER'
  const type = EVENT_TYPES.find((each) => each === value)
  if (!type) throw invalid({ [at]: [`must be one of ${EVENT_TYPES.join(', ')}.`] })
  return type
}

const namesAt = (value: unknown, at: string): { namespace: string; name: string } => {
  const thing = objectAt(value, at)
  for (const field of ['namespace', 'name'] as const) {
    const text = thing[field]
    if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST_NAME)
      throw invalid({ [`${at}.${field}`]: [text === undefined ? 'is required.' : `must be text of 1 to ${LONGEST_NAME} characters.`] })
  }
  return { namespace: thing.namespace as string, name: thing.name as string }
}

const datasetsAt = (value: unknown, at: string): Dataset[] => {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw invalid({ [at]: ['must be an array.'] })
  if (value.length > MOST_DATASETS) throw invalid({ [at]: [`At most ${MOST_DATASETS.toLocaleString('en')} datasets.`] })
  return value.map((each, i) => datasetAt(each, `${at}[${i}]`))
}

const datasetAt = (value: unknown, at: string): Dataset => {
  const { facets, inputFacets, outputFacets } = objectAt(value, at)
  return { ...namesAt(value, at), facets: facetsOf(facets), use: { ...facetsOf(inputFacets), ...facetsOf(outputFacets) } }
}

/** Facets can contain anything: those that are not objects are ignored. */
const facetsOf = (value: unknown): Facets =>
  isObject(value) ? (Object.fromEntries(Object.entries(value).filter(([, facet]) => isObject(facet))) as Facets) : {}
