import { setTimeout as wait } from 'node:timers/promises'
import { BigQuery, type Job, type TableField } from '@google-cloud/bigquery'
import { toCell, toNumberCell } from '../../../../connector/src/cells.ts'
import type { Cell, Statement } from '../../../../connector/src/protocol.ts'
import type { StartedStatement } from '../../../../connector/src/serve-session.ts'
import { runDriver } from '../shared/driver-program.ts'

/** The process that runs the BigQuery SDK. */

export interface OpenOptions {
  readonly project: string
  readonly client_email: string
  readonly private_key: string
  /** That a query may bill; a whole number with any number of digits. */
  readonly max_bytes: string
  /** Overrides Google's URL in tests: there the key signs each request itself, and no token is requested from Google. */
  readonly address?: string
}

/** Where to run the query; or the list of datasets instead of SQL. */
export type StatementOptions = { readonly location?: string } | { readonly list: 'datasets' }

const PAGE_ROWS = 1_000
const POLL_MS = 100

let bigquery: BigQuery
let maxBytesBilled = ''
let job: Job | undefined

const open = async ({ project, client_email, private_key, max_bytes, address }: OpenOptions): Promise<void> => {
  bigquery = new BigQuery({
    projectId: project,
    credentials: { client_email, private_key }, // nothing else of the key file, which could name another server to send the key to
    userAgent: 'tablinum',
    maxRetries: 2,
    ...(address === undefined ? {} : { apiEndpoint: address }),
  })
  if (address !== undefined) Object.assign(await bigquery.authClient.getClient(), { useJWTAccessWithScope: true })
  maxBytesBilled = max_bytes
  await bigquery.getDatasets({ maxResults: 1, autoPaginate: false })
}

const begin = async ({ sql: query, timeout_ms, options: given }: Statement): Promise<StartedStatement> => {
  const along = (given ?? {}) as StatementOptions
  if ('list' in along)
    return {
      columns: [
        { name: 'name', type: 'STRING' },
        { name: 'location', type: 'STRING' },
      ],
      rows: datasets(),
    }
  const options = {
    query,
    useLegacySql: false,
    location: along.location,
    maximumBytesBilled: maxBytesBilled,
    labels: { application: 'tablinum' },
  }
  const [plan] = await bigquery.createQueryJob({ ...options, dryRun: true })
  // A dry run reports the type of statement at no cost.
  if (plan.metadata.statistics?.query?.statementType !== 'SELECT') throw new Error('Only queries are allowed.')
  const [queryJob] = await bigquery.createQueryJob({ ...options, jobTimeoutMs: timeout_ms })
  job = queryJob
  const first = await fetchPage(queryJob)
  const fields = first.schema?.fields ?? []
  return {
    columns: fields.map((field) => ({ name: field.name ?? '', type: getFieldType(field) })),
    rows: readRows(queryJob, first, fields),
  }
}

async function* datasets(): AsyncGenerator<Cell[][], void> {
  for (let pageToken: string | undefined; ; ) {
    const [found, next] = await bigquery.getDatasets({ maxResults: PAGE_ROWS, autoPaginate: false, pageToken })
    yield found.map(({ id, metadata }) => [id ?? '', metadata?.location ?? null])
    pageToken = (next as { pageToken?: string } | null)?.pageToken
    if (pageToken === undefined) return
  }
}

interface ResultPage {
  readonly jobComplete?: boolean
  readonly schema?: { readonly fields?: TableField[] }
  readonly rows?: readonly { readonly f: readonly { readonly v: unknown }[] }[]
  readonly pageToken?: string
}

/** While the job is running, the response is empty after some seconds and requested again. */
const fetchPage = async (job: Job, pageToken?: string): Promise<ResultPage> => {
  for (;;) {
    const page = await new Promise<ResultPage>((resolve, reject) =>
      job.getQueryResults({ maxResults: PAGE_ROWS, autoPaginate: false, skipParsing: true, pageToken }, (error, _, __, raw) =>
        error ? reject(error) : resolve((raw ?? {}) as ResultPage),
      ),
    )
    if (page.jobComplete !== false) return page
    await wait(POLL_MS)
  }
}

async function* readRows(job: Job, first: ResultPage, fields: readonly TableField[]): AsyncGenerator<Cell[][], void> {
  for (let page = first; ; page = await fetchPage(job, page.pageToken)) {
    yield (page.rows ?? []).map(({ f }) => f.map(({ v }, i) => toCell(toPlainValue(v, fields[i]!))))
    if (!page.pageToken) return
  }
}

const getFieldType = ({ type = '', mode }: TableField): string => (mode === 'REPEATED' ? `ARRAY<${type}>` : type)

/** All values are text; the schema has their types. */
const toPlainValue = (value: unknown, field: TableField): unknown => {
  if (value === null || value === undefined) return null
  if (field.mode === 'REPEATED') return (value as { v: unknown }[]).map(({ v }) => toPlainValue(v, { ...field, mode: 'NULLABLE' }))
  switch (field.type) {
    case 'RECORD':
    case 'STRUCT':
      return Object.fromEntries(
        (value as { f: { v: unknown }[] }).f.map(({ v }, i) => [field.fields![i]!.name, toPlainValue(v, field.fields![i]!)]),
      )
    case 'INTEGER':
    case 'INT64':
    case 'FLOAT':
    case 'FLOAT64':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return toNumberCell(String(value))
    case 'BOOLEAN':
    case 'BOOL':
      return String(value) === 'true'
    case 'TIMESTAMP':
      return formatTimestamp(String(value))
    case 'BYTES':
      return Buffer.from(String(value), 'base64')
    default:
      return value
  }
}

/** From microseconds since 1970. */
const formatTimestamp = (micros: string): string => {
  const [whole, rest] = [BigInt(micros) / 1000n, BigInt(micros) % 1000n]
  const date = new Date(Number(whole))
  return Number.isNaN(date.getTime()) ? micros : date.toISOString().replace('Z', rest === 0n ? 'Z' : `${String(rest).padStart(3, '0')}Z`)
}

await runDriver<OpenOptions>({
  name: 'bigquery',
  label: 'BigQuery',
  dialect: 'bigquery',
  settings: {
    type: 'object',
    required: ['project', 'client_email', 'private_key', 'max_bytes'],
    properties: {
      project: { type: 'string', title: 'Project' },
      client_email: { type: 'string', title: 'Service account' },
      private_key: { type: 'string', title: 'Private key', secret: true, multiline: true },
      max_bytes: { type: 'string', title: 'Most bytes a query may bill' },
      address: { type: 'string', title: 'Address', destination: true },
    },
  },
  open: async (settings) => {
    await open(settings)
    return { run: begin, cancel: () => void job?.cancel().catch(() => {}) }
  },
})
