import { type Json, toCount } from '../../platform/core/json-value.ts'
import type { Dataset, Facets, RunEvent } from './event.ts'
import { toBoundedText, toJsonObject, toJsonObjects } from './json-values.ts'
import { parseWritten } from './parse-metrics.ts'

/** Extracts what the catalog shows from facets. Values of another type are treated as absent. Pure. */

/** Without empty values. */
const omitEmpty = <T extends Json>(facts: T): Json =>
  Object.fromEntries(
    Object.entries(facts).filter(
      ([, value]) => value !== undefined && !(typeof value === 'object' && Object.keys(value as object).length === 0),
    ),
  )

export const parseDocumentation = ({ documentation }: Facets): string | undefined => toBoundedText(documentation?.description, 100_000)

/** Lower-case e-mail addresses of owners. The standard writes `type:id`, or the address only. */
export const parseOwners = ({ ownership }: Facets): string[] =>
  toJsonObjects(ownership?.owners).flatMap(({ name }) => {
    const address = toBoundedText(name)
      ?.replace(/^[\w-]+:/, '')
      .trim()
      .toLowerCase()
    return address?.includes('@') ? [address] : []
  })

const MAX_TAGS = 100
const MAX_TAG_LENGTH = 200

/** The tags of a field or of the whole dataset. A tag is a key with a value; if the value only confirms the key, the key alone. */
export const parseTags = ({ tags }: Facets, of?: string): string[] => [
  ...new Set(
    toJsonObjects(tags?.tags)
      .filter(({ field }) => (toBoundedText(field) ?? undefined) === of)
      .slice(0, MAX_TAGS)
      .flatMap(({ key, value }) => {
        const [name, text] = [toBoundedText(key, MAX_TAG_LENGTH)?.trim(), toBoundedText(value, MAX_TAG_LENGTH)?.trim()]
        if (!name) return []
        return [!text || text === name || text.toLowerCase() === 'true' ? name : `${name}:${text}`.slice(0, MAX_TAG_LENGTH)]
      }),
  ),
]

/** All tags, to be resolved at once. */
export const parseAllTags = (facets: Facets): string[] => [
  ...parseTags(facets),
  ...new Set(toJsonObjects(facets.tags?.tags).flatMap(({ field }) => toBoundedText(field) ?? []))
    .values()
    .flatMap((field) => parseTags(facets, field)),
]

/** The run dropped the dataset. */
export const isDropped = ({ facets }: Dataset): boolean => facets.lifecycleStateChange?.lifecycleStateChange === 'DROP'

/** The type of dataset, as named in the standard: `view`, `materialized view`, `topic`. */
export const parseDatasetType = ({ datasetType }: Facets): string | undefined =>
  [toBoundedText(datasetType?.subType, 100), toBoundedText(datasetType?.datasetType, 100)]
    .filter(Boolean)
    .join(' ')
    .toLowerCase()
    .replaceAll('_', ' ') || undefined

export const parseJobFacts = (facets: Facets): Json =>
  omitEmpty({
    type: toBoundedText(facets.jobType?.jobType),
    processing: toBoundedText(facets.jobType?.processingType),
    tool: toBoundedText(facets.jobType?.integration),
    sql: toBoundedText(facets.sql?.query, 50_000),
    dialect: toBoundedText(facets.sql?.dialect),
    language: toBoundedText(facets.sourceCode?.language),
    code: toBoundedText(facets.sourceCode?.sourceCode, 50_000),
    code_url: toBoundedText(facets.sourceCodeLocation?.url),
  })

/** The state of a run. */
export interface RunState {
  readonly state: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'ABORTED'
  readonly started_at?: string
  readonly ended_at?: string
  readonly [more: string]: unknown
}

const FINAL_STATES = { COMPLETE: 'COMPLETED', FAIL: 'FAILED', ABORT: 'ABORTED' } as const
export const isFinished = (type: RunEvent['type']): type is keyof typeof FINAL_STATES => type in FINAL_STATES

/** The state of a run after an event. Independent of order and repetition: a final state stays, the latest end and the earliest start count. */
export const applyRunEvent = (
  before: Partial<RunState> | undefined,
  { type, time, run, inputs, outputs }: RunEvent,
  raw: Json = {},
): RunState => {
  const { started_at, ended_at, state = 'RUNNING' } = before ?? {}
  const ends = isFinished(type) && (ended_at === undefined || ended_at <= time)
  const starts = type === 'START' && (started_at === undefined || time < started_at)
  return {
    ...before,
    state: ends ? FINAL_STATES[type as keyof typeof FINAL_STATES] : state,
    ...((starts ? time : started_at) ? { started_at: starts ? time : started_at } : {}),
    ...((ends ? time : ended_at) ? { ended_at: ends ? time : ended_at } : {}),
    ...parseRunFacts(run.facets),
    ...sumWritten(outputs),
    ...parseChecks([...inputs, ...outputs], run.facets),
    ...raw,
  }
}

/** The run of a job that ended last: a run that is reported late does not replace a later one. */
export const findLastRun = (job: Json | undefined, run: RunState | undefined): Json | undefined => {
  const before = toJsonObject(job?.last_run)
  if (!run?.ended_at || String(before.ended_at ?? '') > run.ended_at) return undefined
  return { state: run.state, started_at: run.started_at ?? null, ended_at: run.ended_at }
}

const parseRunFacts = ({ nominalTime, errorMessage, processing_engine, externalQuery, parentRun, parent = parentRun }: Facets): Json =>
  omitEmpty({
    external_query: omitEmpty({
      id: toBoundedText(externalQuery?.externalQueryId, 500),
      source: toBoundedText(externalQuery?.source, 500),
    }),
    nominal_start_time: toBoundedText(nominalTime?.nominalStartTime, 50),
    nominal_end_time: toBoundedText(nominalTime?.nominalEndTime, 50),
    error: toBoundedText(errorMessage?.message),
    engine:
      [toBoundedText(processing_engine?.name, 200), toBoundedText(processing_engine?.version, 200)].filter(Boolean).join(' ') || undefined,
    parent: omitEmpty({
      namespace: toBoundedText(toJsonObject(parent?.job).namespace, 500),
      name: toBoundedText(toJsonObject(parent?.job).name, 500),
      run_id: toBoundedText(toJsonObject(parent?.run).runId, 100),
      root: toBoundedText(toJsonObject(toJsonObject(parent?.root).job).name, 500),
    }),
  })

/** Facts of a dataset, independent of its use. */
export const parseDatasetFacts = ({ namespace, name, facets }: Dataset): Json =>
  omitEmpty({
    namespace,
    name,
    storage: omitEmpty({ layer: toBoundedText(facets.storage?.storageLayer, 200), format: toBoundedText(facets.storage?.fileFormat, 200) }),
    uri: toBoundedText(facets.dataSource?.uri),
    version: toBoundedText(facets.version?.datasetVersion, 500),
    last_change: toBoundedText(facets.lifecycleStateChange?.lifecycleStateChange, 100)?.toLowerCase(),
    symlinks: toJsonObjects(facets.symlinks?.identifiers)
      .slice(0, 10)
      .flatMap((each) => (toBoundedText(each.name) ? [`${toBoundedText(each.namespace) ?? ''}/${toBoundedText(each.name)}`] : [])),
  })

/** What a run wrote to all datasets together. */
const sumWritten = (outputs: readonly Dataset[]): Json => {
  const written = outputs.map(parseWritten)
  const sum = (name: 'rows_written' | 'bytes_written') => {
    const numbers = written.flatMap((each) => each[name] ?? [])
    return numbers.length > 0 ? numbers.reduce((all, n) => all + n, 0) : undefined
  }
  return omitEmpty({ rows_written: sum('rows_written'), bytes_written: sum('bytes_written') })
}

export const MAX_CHECKS = 100

/** An assertion about a dataset and its result. The standard defines it for inputs; some tools send it for outputs too. */
export interface Assertion {
  readonly name: string
  readonly column: string | undefined
  readonly passed: boolean
  /** A failure is only a warning. */
  readonly warns: boolean
}

export const parseAssertions = ({ use, facets }: Dataset): Assertion[] =>
  toJsonObjects((use.dataQualityAssertions ?? facets.dataQualityAssertions)?.assertions)
    .slice(0, MAX_CHECKS)
    .flatMap(({ assertion, name, column, success, severity }) => {
      const called = toBoundedText(name, 500) ?? toBoundedText(assertion, 500)
      const warns = toBoundedText(severity)?.toLowerCase() === 'warn'
      return called && typeof success === 'boolean' ? [{ name: called, column: toBoundedText(column, 500), passed: success, warns }] : []
    })

/** The checks of a run: quality tools and dbt tests report them per dataset, newer tools on the run itself. */
const parseChecks = (datasets: readonly Dataset[], { test }: Facets): Json => {
  const asserted = datasets.flatMap((dataset) =>
    parseAssertions(dataset).map(({ name, column, passed }) => omitEmpty({ name, column, passed })),
  )
  const tested = toJsonObjects(test?.tests).map(({ name, status }) =>
    omitEmpty({ name: toBoundedText(name, 500), passed: status === 'pass' }),
  )
  return omitEmpty({ checks: [...asserted, ...tested].slice(0, MAX_CHECKS) })
}

export interface DatasetField {
  readonly path: readonly string[]
  readonly type: string | undefined
  readonly description: string | undefined
  readonly position: number
}

const MAX_FIELDS = 5000
const MAX_DEPTH = 10

/** The columns of a dataset and their nested fields, parents first. */
export const parseFields = ({ schema }: Facets): DatasetField[] => {
  const found: DatasetField[] = []
  const walk = (fields: unknown, above: readonly string[]): void => {
    for (const [i, { name, type, description, ordinal_position, fields: inner }] of toJsonObjects(fields).entries()) {
      const title = toBoundedText(name, 500)
      if (!title || found.length >= MAX_FIELDS || above.length >= MAX_DEPTH) continue
      found.push({
        path: [...above, title],
        type: toBoundedText(type, 500),
        description: toBoundedText(description),
        position: toCount(ordinal_position) ?? i + 1,
      })
      if (Array.isArray(inner)) walk(inner, [...above, title])
    }
  }
  walk(schema?.fields, [])
  return found
}
