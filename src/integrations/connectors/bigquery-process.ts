import { setTimeout as wait } from 'node:timers/promises'
import { BigQuery, type Job, type TableField } from '@google-cloud/bigquery'
import { type Begun, type Driver, serve } from './apart-process.ts'
import { cellOf, numberCell } from './cells.ts'
import type { Cell } from './connector.ts'

/** The process that runs the BigQuery SDK. */

export interface Opening {
  readonly project: string
  readonly client_email: string
  readonly private_key: string
  readonly max_gigabytes: number
  /** Overrides Google's URL in tests: there the key signs each request itself, and no token is requested from Google. */
  readonly address?: string
}

/** Where to run the query; or the list of datasets instead of SQL. */
export type Along = { readonly location?: string } | { readonly list: 'datasets' }

const PAGE = 1_000
const AGAIN_MS = 100
const GIGABYTE = 1_000_000_000

let bigquery: BigQuery
let most = ''
let job: Job | undefined

const open = async ({ project, client_email, private_key, max_gigabytes, address }: Opening): Promise<void> => {
  bigquery = new BigQuery({
    projectId: project,
    credentials: { client_email, private_key }, // nothing else of the key file, which could name another server to send the key to
    userAgent: 'tablinum',
    maxRetries: 2,
    ...(address === undefined ? {} : { apiEndpoint: address }),
  })
  if (address !== undefined) Object.assign(await bigquery.authClient.getClient(), { useJWTAccessWithScope: true })
  most = String(max_gigabytes * GIGABYTE)
  await bigquery.getDatasets({ maxResults: 1, autoPaginate: false })
}

const begin = async (query: string, timeout_ms: number, along: Along = {}): Promise<Begun> => {
  if ('list' in along)
    return {
      columns: [
        { name: 'name', type: 'STRING' },
        { name: 'location', type: 'STRING' },
      ],
      rows: datasets(),
    }
  const options = { query, useLegacySql: false, location: along.location, maximumBytesBilled: most, labels: { application: 'tablinum' } }
  const [plan] = await bigquery.createQueryJob({ ...options, dryRun: true })
  // A dry run reports the type of statement at no cost.
  if (plan.metadata.statistics?.query?.statementType !== 'SELECT') throw new Error('Only queries are allowed.')
  const [begun] = await bigquery.createQueryJob({ ...options, jobTimeoutMs: timeout_ms })
  job = begun
  const first = await pageOf(begun)
  const fields = first.schema?.fields ?? []
  return { columns: fields.map((field) => ({ name: field.name ?? '', type: typeOf(field) })), rows: rowsOf(begun, first, fields) }
}

async function* datasets(): AsyncGenerator<Cell[][], void> {
  for (let pageToken: string | undefined; ; ) {
    const [found, next] = await bigquery.getDatasets({ maxResults: PAGE, autoPaginate: false, pageToken })
    yield found.map(({ id, metadata }) => [id ?? '', metadata?.location ?? null])
    pageToken = (next as { pageToken?: string } | null)?.pageToken
    if (pageToken === undefined) return
  }
}

interface Raw {
  readonly jobComplete?: boolean
  readonly schema?: { readonly fields?: TableField[] }
  readonly rows?: readonly { readonly f: readonly { readonly v: unknown }[] }[]
  readonly pageToken?: string
}

/** While the job is running, the response is empty after some seconds and requested again. */
const pageOf = async (job: Job, pageToken?: string): Promise<Raw> => {
  for (;;) {
    const page = await new Promise<Raw>((resolve, reject) =>
      job.getQueryResults({ maxResults: PAGE, autoPaginate: false, skipParsing: true, pageToken }, (error, _, __, raw) =>
        error ? reject(error) : resolve((raw ?? {}) as Raw),
      ),
    )
    if (page.jobComplete !== false) return page
    await wait(AGAIN_MS)
  }
}

async function* rowsOf(job: Job, first: Raw, fields: readonly TableField[]): AsyncGenerator<Cell[][], void> {
  for (let page = first; ; page = await pageOf(job, page.pageToken)) {
    yield (page.rows ?? []).map(({ f }) => f.map(({ v }, i) => cellOf(plain(v, fields[i]!))))
    if (!page.pageToken) return
  }
}

const typeOf = ({ type = '', mode }: TableField): string => (mode === 'REPEATED' ? `ARRAY<${type}>` : type)

/** All values are text; the schema has their types. */
const plain = (value: unknown, field: TableField): unknown => {
  if (value === null || value === undefined) return null
  if (field.mode === 'REPEATED') return (value as { v: unknown }[]).map(({ v }) => plain(v, { ...field, mode: 'NULLABLE' }))
  switch (field.type) {
    case 'RECORD':
    case 'STRUCT':
      return Object.fromEntries(
        (value as { f: { v: unknown }[] }).f.map(({ v }, i) => [field.fields![i]!.name, plain(v, field.fields![i]!)]),
      )
    case 'INTEGER':
    case 'INT64':
    case 'FLOAT':
    case 'FLOAT64':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return numberCell(String(value))
    case 'BOOLEAN':
    case 'BOOL':
      return String(value) === 'true'
    case 'TIMESTAMP':
      return momentOf(String(value))
    case 'BYTES':
      return Buffer.from(String(value), 'base64')
    default:
      return value
  }
}

/** From microseconds since 1970. */
const momentOf = (micros: string): string => {
  const [whole, rest] = [BigInt(micros) / 1000n, BigInt(micros) % 1000n]
  const date = new Date(Number(whole))
  return Number.isNaN(date.getTime()) ? micros : date.toISOString().replace('Z', rest === 0n ? 'Z' : `${String(rest).padStart(3, '0')}Z`)
}

const driver: Driver<Opening, Along> = { open, begin, interrupt: () => void job?.cancel().catch(() => {}) }
serve(driver)
