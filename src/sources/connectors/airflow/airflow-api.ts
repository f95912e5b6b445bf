import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { readPages } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfAllowed, findIfPresent } from '../bi/bi-client.ts'
import { MAX_RUNS } from '../orchestration/runs.ts'
import type { ChangedRuns } from '../orchestration/saved-runs.ts'
import type { AirflowSettings } from './airflow-settings.ts'

const PAGE_SIZE = 100
/** A DAG that was deleted and created again has the same numbers, but other IDs. */
export interface DagVersion {
  readonly id: string
  readonly number: number
}

/** 200 pages. The tasks of DAGs whose version is not among them are read by every sync. */
const MAX_VERSIONS = 20_000
const ALL_RUNS = '/dags/~/dagRuns'

/** The REST API of Airflow 2 (`v1`) or Airflow 3 (`v2`). */
export class AirflowApi {
  readonly #client: HttpClient
  readonly #settings: AirflowSettings
  #version: 'v1' | 'v2' = 'v2'

  constructor(context: RunContext<AirflowSettings>) {
    this.#settings = context.settings
    this.#client = createBiClient('Airflow', context.settings.url, context)
  }

  get hasApiV2(): boolean {
    return this.#version === 'v2'
  }

  /** Signs in and returns the version of Airflow. */
  async connect(): Promise<string> {
    const { user, password, token } = this.#settings
    if (!token && !(user && password)) throw new Error('Airflow needs a token, or a user and a password.')
    if (token) this.#client.setHeader('authorization', `Bearer ${token}`)
    const current = await findIfAllowed(this.#client.get('/api/v2/version'))
    this.#version = current === undefined ? 'v1' : 'v2'
    if (!token && this.hasApiV2) {
      await this.#signIn()
      this.#client.renewWith(() => this.#signIn())
    }
    if (!token && !this.hasApiV2) this.#client.setHeader('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
    return new Shape(current ?? (await this.#client.get('/api/v1/version')), `GET /api/${this.#version}/version`).text('version')
  }

  /** Airflow 3 gives out tokens that expire. */
  async #signIn(): Promise<void> {
    const { user: username, password } = this.#settings
    const answer = new Shape(await this.#client.login('/auth/token', { body: { username, password } }), 'POST /auth/token')
    this.#client.setHeader('authorization', `Bearer ${answer.text('access_token')}`)
  }

  listDags(): AsyncGenerator<Shape, void> {
    // Airflow 2 lists DAGs whose file is gone unless asked not to; Airflow 3 does so by itself.
    return this.#list('/dags', 'dags', this.hasApiV2 ? { order_by: 'dag_id' } : { order_by: 'dag_id', only_active: 'true' })
  }

  async countDags(): Promise<number> {
    return (await this.#get('/dags', { limit: 1, offset: 0 })).integer('total_entries')
  }

  async listTasks(dag: string): Promise<Shape[]> {
    return (await this.#get(`/dags/${encodeURIComponent(dag)}/tasks`)).list('tasks')
  }

  async listRuns(dag: string): Promise<Shape[]> {
    const order_by = this.hasApiV2 ? '-run_after' : '-execution_date'
    return (await this.#get(`/dags/${encodeURIComponent(dag)}/dagRuns`, { limit: MAX_RUNS, order_by })).list('dag_runs')
  }

  /** By their DAGs. Airflow before 2.6 rejects the parameter. */
  readonly changedRuns: ChangedRuns = {
    supported: 'Airflow has this list since version 2.6.',
    list: (since) => this.#listChangedDags({ updated_at_gte: since, order_by: 'id' }),
    exceed: async (since, limit) =>
      (await this.#get(ALL_RUNS, { updated_at_gte: since, limit: 1, offset: 0 })).integer('total_entries') > limit,
  }

  async *#listChangedDags(query: Readonly<Record<string, string>>): AsyncGenerator<string, void> {
    for await (const run of this.#list(ALL_RUNS, 'dag_runs', query)) yield run.text('dag_id')
  }

  /** The newest version of each DAG that got a new one since that time, or of all DAGs. Before Airflow 3, DAGs have no versions. */
  async listVersions(since: Date | undefined): Promise<ReadonlyMap<string, DagVersion>> {
    const versions = new Map<string, DagVersion>()
    if (!this.hasApiV2) return versions
    let count = 0
    // Sorted by ID, which begins with the time of creation.
    for await (const version of this.#list('/dags/~/dagVersions', 'dag_versions', { order_by: '-id' })) {
      if (since && Date.parse(version.text('created_at')) < since.getTime()) break
      count += 1
      if (count > MAX_VERSIONS && since)
        throw new Error(`Airflow has more than ${MAX_VERSIONS} versions of DAGs since ${since.toISOString()}.`)
      if (count > MAX_VERSIONS) break
      const [dag, number] = [version.text('dag_id'), version.integer('version_number')]
      if (number > (versions.get(dag)?.number ?? 0)) versions.set(dag, { id: version.text('id'), number })
    }
    return versions
  }

  /** Undefined before Airflow 2.4. */
  async listAssets(): Promise<Shape[] | undefined> {
    const [path, name] = this.hasApiV2 ? ['/assets', 'assets'] : ['/datasets', 'datasets']
    const first = await findIfPresent(this.#get(path!, { limit: 1, offset: 0 }))
    return first ? Array.fromAsync(this.#list(path!, name!, {})) : undefined
  }

  #list(path: string, name: string, query: Readonly<Record<string, string>>): AsyncGenerator<Shape, void> {
    return readPages(`Airflow: GET /api/${this.#version}${path}`, async (offset) => {
      const page = await this.#get(path, { ...query, limit: PAGE_SIZE, offset })
      return { items: page.list(name), total: page.integer('total_entries') }
    })
  }

  async #get(path: string, query?: Readonly<Record<string, string | number>>): Promise<Shape> {
    const whole = `/api/${this.#version}${path}`
    return new Shape(await this.#client.get(whole, query), `GET ${whole}`)
  }
}
