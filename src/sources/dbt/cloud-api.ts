import { type HttpClient, HttpError, ResponseTooLargeError } from '../../../connector/src/http.ts'
import { readPages } from '../../../connector/src/paging.ts'
import { Shape } from '../../../connector/src/shape.ts'
import { createBiClient } from '../connectors/bi/bi-client.ts'
import { type JobRun, MAX_RUNS } from '../connectors/orchestration/runs.ts'
import type { ChangedRuns } from '../connectors/orchestration/saved-runs.ts'
import { type DiscoveryContext, getTextCredential, type Source } from '../connectors/shared/connector.ts'
import { ArtifactError } from './project.ts'
import { MAX_ARTIFACT_BYTES } from './reader.ts'

const PAGE_SIZE = 100
const DEFAULT_URL = 'https://cloud.getdbt.com'

/** The administrative API of dbt Cloud. */
export class DbtCloudApi {
  readonly #client: HttpClient
  readonly #base: string
  readonly project: string | undefined

  constructor(source: Source, log: DiscoveryContext['log'] = async () => {}) {
    const account = getTextCredential(source, 'account_id') ?? ''
    const ca = getTextCredential(source, 'ca')
    const context = { allowedHosts: source.allow ?? [], log, settings: ca === undefined ? {} : { ca } }
    this.#client = createBiClient('dbt Cloud', getTextCredential(source, 'url') ?? DEFAULT_URL, context)
    this.#client.setHeader('authorization', `Token ${getTextCredential(source, 'token') ?? ''}`)
    this.#base = `/api/v2/accounts/${encodeURIComponent(account)}`
    this.project = getTextCredential(source, 'project_id')
  }

  get #ofProject(): Readonly<Record<string, string>> {
    return this.project ? { project_id: this.project } : {}
  }

  /** The jobs of the project. */
  async listJobs(): Promise<Shape[]> {
    const jobs = await Array.fromAsync(this.#list('/jobs/', this.#ofProject))
    const projects = new Set(jobs.map((job) => job.integer('project_id')))
    if (projects.size > 1)
      throw new Error(`The account has several projects with jobs: ${[...projects].join(', ')}. Set the ID of one of them.`)
    return jobs
  }

  /** The runs of a job, newest first. Undefined if the job was deleted since it was listed. */
  async listRuns(job: number): Promise<Shape[] | undefined> {
    try {
      return (await this.#get('/runs/', { job_definition_id: job, order_by: '-id', limit: MAX_RUNS, offset: 0 })).list('data')
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return undefined
      throw error
    }
  }

  /** By their jobs. Runs have ascending numbers, so those after one that began before that time are listed. */
  readonly changedRuns: ChangedRuns = {
    list: (since, known) => this.#listChangedJobs(findLastBefore(known, since)),
    exceed: async (since, limit, known) =>
      readTotal(await this.#get('/runs/', { ...this.#ofProject, id__gt: findLastBefore(known, since), limit: 1, offset: 0 })) > limit,
  }

  async *#listChangedJobs(id__gt: string): AsyncGenerator<string, void> {
    for await (const run of this.#list('/runs/', { ...this.#ofProject, id__gt })) yield String(run.optionalInteger('job_definition_id'))
  }

  /** The steps of a run; none if it was deleted since it was listed. */
  async listSteps(run: string): Promise<Shape[]> {
    try {
      return (await this.#get(`/runs/${run}/`, { include_related: 'run_steps' })).object('data').optionalList('run_steps')
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return []
      throw error
    }
  }

  /** As the step of this index wrote it, from 1, or the last step. Undefined if it did not; an `ArtifactError` if it is too large. */
  async findArtifact(run: string, name: string, step?: number, maxBytes = MAX_ARTIFACT_BYTES): Promise<Uint8Array | undefined> {
    try {
      const query = step === undefined ? {} : { step }
      return Buffer.from(
        (await this.#client.send(`${this.#base}/runs/${run}/artifacts/${name}`, { query, text: true, maxBytes })) as string,
      )
    } catch (error) {
      if (error instanceof Error && error.cause instanceof ResponseTooLargeError)
        throw new ArtifactError(name, `is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`)
      if (error instanceof HttpError && (error.status === 404 || error.status === 410)) return undefined
      throw error
    }
  }

  #list(path: string, query: Readonly<Record<string, string>>): AsyncGenerator<Shape, void> {
    return readPages(`dbt Cloud: GET ${this.#base}${path}`, async (offset) => {
      const page = await this.#get(path, { ...query, order_by: 'id', limit: PAGE_SIZE, offset })
      return { items: page.list('data'), total: readTotal(page) }
    })
  }

  async #get(path: string, query: Readonly<Record<string, string | number>>): Promise<Shape> {
    return new Shape(await this.#client.get(`${this.#base}${path}`, query), `GET ${this.#base}${path}`)
  }
}

const readTotal = (page: Shape): number => page.object('extra').object('pagination').integer('total_count')

/** The number of the newest run that began before this time. */
const findLastBefore = (runs: readonly JobRun[], time: string): string => {
  const before = runs.filter(({ started_at }) => started_at !== undefined && Date.parse(started_at) < Date.parse(time))
  return String(before.reduce((last, { id }) => Math.max(last, Number(id)), 0))
}
