import type { Dataset, Facets, RunEvent } from './event.ts'

/** Extracts what the catalog shows from facets. Values of another type are treated as absent. Pure. */
export type Json = Readonly<Record<string, unknown>>

const LONGEST = 10_000
export const text = (value: unknown, most = LONGEST): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, most).toWellFormed() : undefined
const whole = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
export const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : [])

/** Without empty values. */
const given = <T extends Json>(facts: T): Json =>
  Object.fromEntries(
    Object.entries(facts).filter(
      ([, value]) => value !== undefined && !(typeof value === 'object' && Object.keys(value as object).length === 0),
    ),
  )

export const documentationOf = ({ documentation }: Facets): string | undefined => text(documentation?.description, 100_000)

/** Lower-case e-mail addresses of owners. The standard writes `type:id`, or the address only. */
export const ownersOf = ({ ownership }: Facets): string[] =>
  list(ownership?.owners).flatMap(({ name }) => {
    const address = text(name)
      ?.replace(/^[\w-]+:/, '')
      .trim()
      .toLowerCase()
    return address?.includes('@') ? [address] : []
  })

const MOST_TAGS = 100
const LONGEST_TAG = 200

/** The tags of a field or of the whole dataset. A tag is a key with a value; if the value only confirms the key, the key alone. */
export const tagsOf = ({ tags }: Facets, of?: string): string[] => [
  ...new Set(
    list(tags?.tags)
      .filter(({ field }) => (text(field) ?? undefined) === of)
      .slice(0, MOST_TAGS)
      .flatMap(({ key, value }) => {
        const [name, says] = [text(key, LONGEST_TAG)?.trim(), text(value, LONGEST_TAG)?.trim()]
        if (!name) return []
        return [!says || says === name || says.toLowerCase() === 'true' ? name : `${name}:${says}`.slice(0, LONGEST_TAG)]
      }),
  ),
]

/** All tags, to be resolved at once. */
export const allTagsOf = (facets: Facets): string[] => [
  ...tagsOf(facets),
  ...new Set(list(facets.tags?.tags).flatMap(({ field }) => text(field) ?? [])).values().flatMap((field) => tagsOf(facets, field)),
]

/** The run dropped the dataset. */
export const isDropped = ({ facets }: Dataset): boolean => facets.lifecycleStateChange?.lifecycleStateChange === 'DROP'

/** The type of dataset, as named in the standard: `view`, `materialized view`, `topic`. */
export const typeOf = ({ datasetType }: Facets): string | undefined =>
  [text(datasetType?.subType, 100), text(datasetType?.datasetType, 100)].filter(Boolean).join(' ').toLowerCase().replaceAll('_', ' ') ||
  undefined

export const jobFacts = (facets: Facets): Json =>
  given({
    type: text(facets.jobType?.jobType),
    processing: text(facets.jobType?.processingType),
    tool: text(facets.jobType?.integration),
    sql: text(facets.sql?.query, 50_000),
    dialect: text(facets.sql?.dialect),
    language: text(facets.sourceCode?.language),
    code: text(facets.sourceCode?.sourceCode, 50_000),
    code_url: text(facets.sourceCodeLocation?.url),
  })

/** The state of a run. */
export interface RunState {
  readonly state: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'ABORTED'
  readonly started_at?: string
  readonly ended_at?: string
  readonly [more: string]: unknown
}

const ENDS = { COMPLETE: 'COMPLETED', FAIL: 'FAILED', ABORT: 'ABORTED' } as const
export const isOver = (type: RunEvent['type']): type is keyof typeof ENDS => type in ENDS

/** The state of a run after an event. Independent of order and repetition: a final state stays, the latest end and the earliest start count. */
export const runAfter = (
  before: Partial<RunState> | undefined,
  { type, time, run, inputs, outputs }: RunEvent,
  raw: Json = {},
): RunState => {
  const { started_at, ended_at, state = 'RUNNING' } = before ?? {}
  const ends = isOver(type) && (ended_at === undefined || ended_at <= time)
  const starts = type === 'START' && (started_at === undefined || time < started_at)
  return {
    ...before,
    state: ends ? ENDS[type as keyof typeof ENDS] : state,
    ...((starts ? time : started_at) ? { started_at: starts ? time : started_at } : {}),
    ...((ends ? time : ended_at) ? { ended_at: ends ? time : ended_at } : {}),
    ...runFacts(run.facets),
    ...writtenFacts(outputs),
    ...checkedFacts([...inputs, ...outputs], run.facets),
    ...raw,
  }
}

/** The run of a job that ended last: a run that is reported late does not replace a later one. */
export const lastRun = (job: Json | undefined, run: RunState | undefined): Json | undefined => {
  const before = object(job?.last_run)
  if (!run?.ended_at || String(before.ended_at ?? '') > run.ended_at) return undefined
  return { state: run.state, started_at: run.started_at ?? null, ended_at: run.ended_at }
}

const runFacts = ({ nominalTime, errorMessage, processing_engine, parentRun, parent = parentRun }: Facets): Json =>
  given({
    nominal_start_time: text(nominalTime?.nominalStartTime, 50),
    nominal_end_time: text(nominalTime?.nominalEndTime, 50),
    error: text(errorMessage?.message),
    engine: [text(processing_engine?.name, 200), text(processing_engine?.version, 200)].filter(Boolean).join(' ') || undefined,
    parent: given({
      namespace: text(object(parent?.job).namespace, 500),
      name: text(object(parent?.job).name, 500),
      run_id: text(object(parent?.run).runId, 100),
      root: text(object(object(parent?.root).job).name, 500),
    }),
  })

/** Facts of a dataset, independent of its use. */
export const datasetFacts = ({ namespace, name, facets }: Dataset): Json =>
  given({
    namespace,
    name,
    storage: given({ layer: text(facets.storage?.storageLayer, 200), format: text(facets.storage?.fileFormat, 200) }),
    uri: text(facets.dataSource?.uri),
    version: text(facets.version?.datasetVersion, 500),
    last_change: text(facets.lifecycleStateChange?.lifecycleStateChange, 100)?.toLowerCase(),
    symlinks: list(facets.symlinks?.identifiers)
      .slice(0, 10)
      .flatMap((each) => (text(each.name) ? [`${text(each.namespace) ?? ''}/${text(each.name)}`] : [])),
  })

export const numbersOf = ({ facets, use }: Dataset): { row_count?: number; byte_size?: number } => {
  const quality = use.dataQualityMetrics ?? facets.dataQualityMetrics
  const [row_count, byte_size] = [whole(quality?.rowCount), whole(quality?.bytes)]
  return { ...(row_count === undefined ? {} : { row_count }), ...(byte_size === undefined ? {} : { byte_size }) }
}

/** What a run wrote to all datasets together, not their total content. */
const writtenFacts = (outputs: readonly Dataset[]): Json => {
  const sum = (name: string) => {
    const numbers = outputs.flatMap(({ use }) => whole(use.outputStatistics?.[name]) ?? [])
    return numbers.length > 0 ? numbers.reduce((all, n) => all + n, 0) : undefined
  }
  return given({ rows_written: sum('rowCount'), bytes_written: sum('size') })
}

export const MOST_CHECKS = 100

/** An assertion about a dataset and its result. The standard defines it for inputs; some tools send it for outputs too. */
export interface Assertion {
  readonly name: string
  readonly column: string | undefined
  readonly passed: boolean
  /** A failure is only a warning. */
  readonly warns: boolean
}

export const assertionsOf = ({ use, facets }: Dataset): Assertion[] =>
  list((use.dataQualityAssertions ?? facets.dataQualityAssertions)?.assertions)
    .slice(0, MOST_CHECKS)
    .flatMap(({ assertion, name, column, success, severity }) => {
      const called = text(name, 500) ?? text(assertion, 500)
      const warns = text(severity)?.toLowerCase() === 'warn'
      return called && typeof success === 'boolean' ? [{ name: called, column: text(column, 500), passed: success, warns }] : []
    })

/** The checks of a run: quality tools and dbt tests report them per dataset, newer tools on the run itself. */
const checkedFacts = (datasets: readonly Dataset[], { test }: Facets): Json => {
  const asserted = datasets.flatMap((dataset) => assertionsOf(dataset).map(({ name, column, passed }) => given({ name, column, passed })))
  const tested = list(test?.tests).map(({ name, status }) => given({ name: text(name, 500), passed: status === 'pass' }))
  return given({ checks: [...asserted, ...tested].slice(0, MOST_CHECKS) })
}

export interface Field {
  readonly path: readonly string[]
  readonly type: string | undefined
  readonly description: string | undefined
  readonly position: number
}

const MOST_FIELDS = 5000
const DEEPEST = 10

/** The columns of a dataset and their nested fields, parents first. */
export const fieldsOf = ({ schema }: Facets): Field[] => {
  const found: Field[] = []
  const walk = (fields: unknown, above: readonly string[]): void => {
    for (const [i, { name, type, description, ordinal_position, fields: inner }] of list(fields).entries()) {
      const title = text(name, 500)
      if (!title || found.length >= MOST_FIELDS || above.length >= DEEPEST) continue
      found.push({
        path: [...above, title],
        type: text(type, 500),
        description: text(description),
        position: whole(ordinal_position) ?? i + 1,
      })
      if (Array.isArray(inner)) walk(inner, [...above, title])
    }
  }
  walk(schema?.fields, [])
  return found
}
