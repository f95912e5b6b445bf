import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { mapConcurrently, readPages } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, readListed } from '../bi/bi-client.ts'
import { childKey, toTags } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listOnce } from '../bi/listing.ts'
import { type JobRun, MAX_RUNS, toLastRun, toRunItems, toTime } from '../orchestration/runs.ts'
import { type ChangedRuns, SavedRuns } from '../orchestration/saved-runs.ts'
import { PREFECT_GRANTS, PREFECT_SETTINGS, type PrefectSettings } from './prefect-settings.ts'

const GROUP = 'prefect'
const PAGE_SIZE = 200
/** Of runs that are not over. */
const UNFINISHED = ['PENDING', 'RUNNING', 'PAUSED', 'CANCELLING']
/** All states but `SCHEDULED`. */
const STARTED = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'CRASHED', 'PAUSED', 'CANCELLING']
const getId = (object: Shape): string => object.text('id')
const flowKey = (id: string): string => childKey('flow', id)

export const prefect = defineConnector<PrefectSettings>({
  name: 'prefect',
  label: 'Prefect',
  version: '1.0.0',
  settings: PREFECT_SETTINGS,
  grants: PREFECT_GRANTS,

  test: async (context) => {
    const api = new PrefectApi(context)
    return `Connected to Prefect: ${await api.count('/flows')} flows and ${await api.count('/deployments')} deployments.`
  },

  async *discover(context) {
    const api = new PrefectApi(context)
    yield { type: 'item', key: GROUP, entity_type: 'job_group', title: 'Prefect', native_type: 'workspace' }
    const flows = new Set<string>()
    const savedRuns = await SavedRuns.load(context, api.changedRuns)
    const read = async (flow: Shape): Promise<readonly Discovered[]> => {
      const id = getId(flow)
      const listRuns = async () => (await api.listRuns(id)).map(readRun)
      const runs = await readListed(savedRuns.read(id, listRuns), flowKey(id))
      if (!('found' in runs)) return runs.messages
      flows.add(id)
      return readFlow(flow, runs.found)
    }
    for await (const found of mapConcurrently(listOnce(api.list('/flows'), getId), CONCURRENT_REQUESTS, read)) yield* found
    for await (const deployment of listOnce(api.list('/deployments'), getId))
      if (flows.has(deployment.text('flow_id'))) yield readDeployment(deployment)
    yield { type: 'state', state: await savedRuns.toState() }
  },
})

class PrefectApi {
  readonly #client: HttpClient

  constructor(context: RunContext<PrefectSettings>) {
    const { url, api_key, user, password } = context.settings
    this.#client = createBiClient('Prefect', url, context)
    if (api_key) this.#client.setHeader('authorization', `Bearer ${api_key}`)
    else if (user && password) this.#client.setHeader('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  }

  async count(path: string): Promise<number> {
    const count = await this.#client.post(`${path}/count`, {})
    return new Shape({ count }, `POST ${path}/count`).integer('count')
  }

  /** Lists do not tell how many there are: they are counted first, so that a page that is missing is noticed. */
  async *list(path: string): AsyncGenerator<Shape, void> {
    const total = await this.count(path)
    yield* readPages(`Prefect: POST ${path}/filter`, async (offset) => {
      if (offset >= total) return { items: [], total }
      const items = new Shape(await this.#client.post(`${path}/filter`, { limit: PAGE_SIZE, offset }), `POST ${path}/filter`).items()
      return { items, total }
    })
  }

  /** By their flows: those that began or ended, or are not over. Those that wait for a retry are scheduled, and began before. */
  readonly changedRuns: ChangedRuns = {
    list: (since) => this.#listChangedFlows(since),
    exceed: async (since, limit) =>
      (await this.#listRuns({ flow_runs: toChanged(since), sort: 'ID_DESC', limit: 1, offset: limit })).length > 0,
  }

  async *#listChangedFlows(since: string): AsyncGenerator<string, void> {
    const waiting = { state: { type: { any_: ['SCHEDULED'] } }, start_time: { is_null_: false } }
    for (const flow_runs of [toChanged(since), waiting])
      for (let offset = 0, size = PAGE_SIZE; size === PAGE_SIZE; offset += size) {
        const runs = await this.#listRuns({ flow_runs, sort: 'ID_DESC', limit: PAGE_SIZE, offset })
        size = runs.length
        for (const run of runs) yield run.text('flow_id')
      }
  }

  /**
   * The runs of a flow, newest first. Prefect creates runs up to 100 days ahead, and sorts by when they will start: they would hide those that ran. A run
   * that waits for its retry is scheduled, too, but has started.
   */
  async listRuns(flow: string): Promise<Shape[]> {
    const flow_runs = { operator: 'or_', state: { type: { any_: STARTED } }, start_time: { is_null_: false } }
    return this.#listRuns({ flows: { id: { any_: [flow] } }, flow_runs, sort: 'START_TIME_DESC', limit: MAX_RUNS, offset: 0 })
  }

  async #listRuns(body: object): Promise<Shape[]> {
    return new Shape(await this.#client.post('/flow_runs/filter', body), 'POST /flow_runs/filter').items()
  }
}

const toChanged = (since: string): object => ({
  ...{ operator: 'or_', state: { type: { any_: UNFINISHED } } },
  ...{ start_time: { after_: since }, end_time: { after_: since } },
})

const readFlow = (flow: Shape, runs: readonly JobRun[]): Discovered[] => {
  const key = flowKey(getId(flow))
  return [
    {
      type: 'item',
      key,
      parent: GROUP,
      entity_type: 'job',
      title: flow.text('name').slice(0, 500) || getId(flow),
      native_type: 'flow',
      ...readTags(flow),
      updated_at: toTime(flow.optionalText('updated')) ?? null,
      facts: toLastRun(runs),
    },
    ...toRunItems(key, runs),
  ]
}

const readTags = (object: Shape) => toTags(object.optionalList('tags').map(({ value }) => String(value)))

const readDeployment = (deployment: Shape): Discovered => ({
  type: 'item',
  key: childKey(flowKey(deployment.text('flow_id')), `deployment ${getId(deployment)}`),
  parent: flowKey(deployment.text('flow_id')),
  entity_type: 'job',
  title: deployment.text('name').slice(0, 500) || getId(deployment),
  description: deployment.optionalText('description') || null,
  native_type: 'deployment',
  ...readTags(deployment),
  updated_at: toTime(deployment.optionalText('updated')) ?? null,
  facts: {
    schedules: deployment.optionalList('schedules').map(readSchedule),
    paused: deployment.optionalBoolean('paused') ?? false,
    entrypoint: deployment.optionalText('entrypoint') ?? null,
    work_pool: deployment.optionalText('work_pool_name') ?? null,
  },
})

const readSchedule = (entry: Shape): object => {
  const schedule = entry.object('schedule')
  const interval = schedule.at('interval').value
  return {
    schedule:
      schedule.optionalText('cron') ??
      schedule.optionalText('rrule') ??
      (typeof interval === 'number' ? `every ${interval} seconds` : null),
    timezone: schedule.optionalText('timezone') ?? null,
    active: entry.optionalBoolean('active') ?? true,
  }
}

const readRun = (run: Shape): JobRun => ({
  id: getId(run),
  title: run.optionalText('name'),
  status: run.optionalText('state_type') ?? 'PENDING',
  started_at: toTime(run.optionalText('start_time')),
  ended_at: toTime(run.optionalText('end_time')),
  facts: { state_name: run.optionalText('state_name') ?? null },
})
