import { checkAgainst } from '../api-descriptions/api-description.ts'
import {
  type CannedResponse,
  createLoopbackServer,
  findRecording,
  type LoopbackServer,
  type RecordedRequest,
  type RecordedStatement,
} from './loopback.ts'

/** BigQuery's REST API v2 for queries: datasets.list, jobs.insert (also as a dry run), jobs.getQueryResults, jobs.cancel. */
export interface BigQueryServer extends LoopbackServer {
  /** Statements that ran, without dry runs. */
  readonly statements: string[]
  readonly jobs: Record<string, unknown>[]
  readonly cancelled: string[]
}

interface Options {
  readonly project: string
  readonly datasets: readonly (readonly [name: string, location: string])[]
  readonly recorded: readonly RecordedStatement[]
  readonly rejects?: string
}

const PAGE_ROWS = 2

export const createBigQueryServer = async ({ project, datasets, recorded, rejects: refuses }: Options): Promise<BigQueryServer> => {
  const base = `/bigquery/v2/projects/${project}`
  const statements: string[] = []
  const jobs: Record<string, unknown>[] = []
  const cancelled: string[] = []
  const running = new Map<string, { sql: string; polls: number }>()

  const failed = (status: number, message: string, reason: string): CannedResponse => ({
    status,
    body: { error: { code: status, message, errors: [{ message, domain: 'global', reason }], status: reason } },
  })

  const insert = ({ body }: RecordedRequest): CannedResponse => {
    const { configuration, jobReference } = JSON.parse(body.toString('utf8'))
    const sql: string = configuration.query.query
    const { error, kind } = findRecording(recorded, sql)
    if (error) return failed(400, error, 'invalidQuery')
    const [, first = ''] = /^\s*(\w+)/.exec(sql) ?? []
    const statementType = kind ?? (/^(select|with)$/i.test(first) ? 'SELECT' : first.toUpperCase())
    if (configuration.dryRun)
      return {
        body: {
          kind: 'bigquery#job',
          configuration,
          jobReference: { projectId: project, location: 'EU' },
          status: { state: 'DONE' },
          statistics: { query: { statementType, totalBytesProcessed: '0' } },
        },
      }
    statements.push(sql)
    jobs.push(configuration)
    running.set(jobReference.jobId, { sql, polls: 0 })
    return {
      body: {
        kind: 'bigquery#job',
        id: `${project}:EU.${jobReference.jobId}`,
        jobReference: { location: 'EU', ...jobReference },
        configuration,
        status: { state: 'RUNNING' },
        statistics: { query: { statementType } },
      },
    }
  }

  const results = (request: RecordedRequest, id: string): CannedResponse | undefined => {
    const job = running.get(id)
    if (!job) return failed(404, `Not found: Job ${project}:${id}`, 'notFound')
    const { columns = [], rows = [], hangs } = findRecording(recorded, job.sql)
    if (hangs) return undefined
    const jobReference = { projectId: project, jobId: id, location: 'EU' }
    // The first time it is still running.
    if (job.polls++ === 0) return { body: { kind: 'bigquery#getQueryResultsResponse', jobComplete: false, jobReference } }
    const from = Number(request.query.get('pageToken') ?? 0)
    const next = from + PAGE_ROWS
    return {
      body: {
        kind: 'bigquery#getQueryResultsResponse',
        jobComplete: true,
        jobReference,
        schema: { fields: columns.map(([name, type]) => toField(name, type)) },
        totalRows: String(rows.length),
        rows: rows.slice(from, next).map((row) => ({ f: row.map((v) => ({ v })) })),
        ...(next < rows.length ? { pageToken: String(next) } : {}),
      },
    }
  }

  const server = await createLoopbackServer(
    (request) => {
      const { method, path, query } = request
      if (refuses) return failed(403, refuses, 'accessDenied')
      if (method === 'GET' && path === `${base}/datasets`) {
        const from = Number(query.get('pageToken') ?? 0)
        const next = from + Math.min(PAGE_ROWS, Number(query.get('maxResults') ?? PAGE_ROWS))
        return {
          body: {
            kind: 'bigquery#datasetList',
            datasets: datasets.slice(from, next).map(([datasetId, location]) => ({
              id: `${project}:${datasetId}`,
              datasetReference: { projectId: project, datasetId },
              location,
            })),
            ...(next < datasets.length ? { nextPageToken: String(next) } : {}),
          },
        }
      }
      if (method === 'POST' && path === `${base}/jobs`) return insert(request)
      const [, id = '', verb] = /\/(?:queries|jobs)\/([^/]+)(\/cancel)?$/.exec(path) ?? []
      if (verb) {
        cancelled.push(running.get(id)?.sql ?? '')
        return { body: { kind: 'bigquery#jobCancelResponse', job: {} } }
      }
      return path.startsWith(`${base}/queries/`) ? results(request, id) : failed(404, path, 'notFound')
    },
    undefined,
    checkAgainst('bigquery'),
  )
  return { ...server, statements, jobs, cancelled }
}

/** `STRING`, `ARRAY<STRING>`, `RECORD(a INTEGER)`. */
const toField = (name: string, type: string): object => {
  const [, repeated] = /^ARRAY<(\w+)>$/.exec(type) ?? []
  const [, field, inner] = /^RECORD\((\w+) (\w+)\)$/.exec(type) ?? []
  if (field) return { name, type: 'RECORD', mode: 'NULLABLE', fields: [toField(field, inner!)] }
  return { name, type: repeated ?? type, mode: repeated ? 'REPEATED' : 'NULLABLE' }
}
