import { type Discovered, defineConnector } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { FlowEnd } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { explainDenied, readListed } from '../bi/bi-client.ts'
import { childKey, joinUrl, toOwners, toTags } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listOnce } from '../bi/listing.ts'
import { type JobRun, toLastRun, toRunItems, toTime } from '../orchestration/runs.ts'
import { MAX_STATE_LENGTH, SavedRuns } from '../orchestration/saved-runs.ts'
import { parseTableUri } from '../orchestration/table-uri.ts'
import { AirflowApi } from './airflow-api.ts'
import { AIRFLOW_GRANTS, AIRFLOW_SETTINGS, type AirflowSettings } from './airflow-settings.ts'
import { SavedTasks } from './saved-tasks.ts'

const GROUP = 'airflow'
const getDagId = (dag: Shape): string => dag.text('dag_id')
const dagKey = (dag: string): string => childKey('dag', dag)
const taskKey = (dag: string, task: string): string => childKey(childKey('dag', dag), `task ${task}`)
const assetKey = (uri: string): string => childKey('asset', uri)

export const airflow = defineConnector<AirflowSettings>({
  name: 'airflow',
  label: 'Apache Airflow',
  version: '1.0.0',
  settings: AIRFLOW_SETTINGS,
  grants: AIRFLOW_GRANTS,

  test: async (context) => {
    const api = new AirflowApi(context)
    const version = await api.connect()
    return `Connected to Airflow ${version}: ${await api.countDags()} DAGs.`
  },

  async *discover(context) {
    const api = new AirflowApi(context)
    const version = await api.connect()
    const namespace = context.settings.openlineage_namespace || 'default'
    const page = new AirflowPages(context.settings.url, api.hasApiV2)
    yield { type: 'item', key: GROUP, entity_type: 'job_group', title: 'Airflow', native_type: 'instance', facts: { version } }
    const listed = await api.listAssets().catch((error: unknown) => explainDenied(error, 'asset', NEEDED_RIGHT))
    const assets = Array.isArray(listed) ? listed : []
    if (listed === undefined) await context.log('Airflow: it has no datasets before version 2.4, so there is no lineage between DAGs.')
    else if (!Array.isArray(listed)) yield listed
    const savedRuns = await SavedRuns.load(context, api.changedRuns)
    const savedTasks = await SavedTasks.load(context, (since) => api.listVersions(since))
    const read = async (dag: Shape): Promise<readonly Discovered[]> => {
      const id = getDagId(dag)
      const listRuns = async () => (await api.listRuns(id)).map((run) => readRun(run, (name) => page.run(id, name)))
      const listTasks = async () => (await api.listTasks(id)).map((task) => readTask(task, id, namespace))
      const readParts = async () => {
        const runs = await savedRuns.read(id, listRuns)
        return { runs, tasks: await savedTasks.read(id, runs, listTasks) }
      }
      const parts = await readListed(readParts(), dagKey(id))
      return 'found' in parts ? readDag(dag, parts.found, { namespace, page }) : parts.messages
    }
    const jobs = new Set<string>()
    const remember = (found: Discovered) => {
      if (found.type === 'item' && found.entity_type === 'job') jobs.add(found.key)
      return found
    }
    for await (const found of mapConcurrently(listOnce(api.listDags(), getDagId), CONCURRENT_REQUESTS, read)) yield* found.map(remember)
    for (const asset of assets) yield* readAsset(asset)
    yield* toFlows(assets, jobs)
    const tasks = await savedTasks.toState(MAX_STATE_LENGTH / 2)
    yield { type: 'state', state: { ...tasks, ...(await savedRuns.toState(MAX_STATE_LENGTH - JSON.stringify(tasks).length)) } }
  },
})

const NEEDED_RIGHT = 'Lineage between DAGs needs the permission to read assets, before Airflow 3 datasets.'

/** Addresses of pages in the web app, which differ between Airflow 2 and 3. */
class AirflowPages {
  readonly #url: string
  readonly #hasApiV2: boolean

  constructor(url: string, hasApiV2: boolean) {
    this.#url = url
    this.#hasApiV2 = hasApiV2
  }

  dag(id: string): string {
    const dag = encodeURIComponent(id)
    return joinUrl(this.#url, this.#hasApiV2 ? `/dags/${dag}` : `/dags/${dag}/grid`)
  }

  run(id: string, run: string): string {
    const [dag, name] = [encodeURIComponent(id), encodeURIComponent(run)]
    return joinUrl(this.#url, this.#hasApiV2 ? `/dags/${dag}/runs/${name}` : `/dags/${dag}/grid?dag_run_id=${name}`)
  }
}

interface DagContext {
  readonly namespace: string
  readonly page: AirflowPages
}

interface DagParts {
  readonly runs: readonly JobRun[]
  readonly tasks: readonly Discovered[]
}

const readDag = (dag: Shape, { runs, tasks }: DagParts, { namespace, page }: DagContext): Discovered[] => {
  const id = getDagId(dag)
  const key = dagKey(id)
  const owners = dag.optionalList('owners').map(({ value }) => String(value))
  return [
    {
      type: 'item',
      key,
      parent: GROUP,
      entity_type: 'job',
      title: (dag.optionalText('dag_display_name') || id).slice(0, 500),
      description: dag.optionalText('description') || null,
      url: page.dag(id),
      native_type: 'DAG',
      ...toOwners(...owners),
      ...toTags(dag.optionalList('tags').map((tag) => tag.text('name'))),
      facts: {
        dag_id: id,
        schedule: readSchedule(dag),
        paused: dag.optionalBoolean('is_paused') ?? false,
        file: dag.optionalText('fileloc') ?? null,
        ...(owners.length > 0 ? { owners } : {}),
        ...toLastRun(runs),
      },
      same_as: { job: { namespace, name: id } },
    },
    ...tasks,
    ...toRunItems(key, runs),
  ]
}

const readTask = (task: Shape, dag: string, namespace: string): Discovered => {
  const id = task.text('task_id')
  const after = task.optionalList('downstream_task_ids').map(({ value }) => String(value))
  return {
    type: 'item',
    key: taskKey(dag, id),
    parent: dagKey(dag),
    entity_type: 'job',
    title: id.slice(0, 500),
    description: task.optionalText('doc_md') || null,
    native_type: task.optionalText('operator_name') ?? task.optionalObject('class_ref')?.optionalText('class_name') ?? 'task',
    ...toOwners(task.optionalText('owner')),
    facts: { dag_id: dag, ...(after.length > 0 ? { downstream_tasks: after } : {}) },
    same_as: { job: { namespace, name: `${dag}.${id}` } },
  }
}

const readRun = (run: Shape, getUrl: (run: string) => string): JobRun => {
  const id = run.text('dag_run_id')
  const versions = run.optionalList('dag_versions').map((version) => version.integer('version_number'))
  return {
    id,
    status: run.text('state'),
    started_at: toTime(run.optionalText('start_date')),
    ended_at: toTime(run.optionalText('end_date')),
    url: getUrl(id),
    facts: { run_type: run.optionalText('run_type') ?? null, ...(versions.length > 0 ? { dag_version: Math.max(...versions) } : {}) },
  }
}

/** Airflow 2 describes the schedule as an object, Airflow 3 as text. */
const readSchedule = (dag: Shape): string | null => {
  const summary = dag.optionalText('timetable_summary')
  if (summary !== undefined) return summary
  const interval = dag.optionalObject('schedule_interval')
  if (!interval) return null
  if (interval.optionalText('__type') === 'RelativeDelta') return readRelativeDelta(interval)
  const seconds = (interval.optionalInteger('days') ?? 0) * 86_400 + (interval.optionalInteger('seconds') ?? 0)
  return interval.optionalText('value') ?? (seconds > 0 ? `every ${seconds} seconds` : null)
}

/** Months and years have no number of seconds. */
const readRelativeDelta = (interval: Shape): string | null => {
  const parts = ['years', 'months', 'days', 'hours', 'minutes', 'seconds'].flatMap((unit) => {
    const count = interval.optionalInteger(unit) ?? 0
    return count === 0 ? [] : `${count} ${count === 1 ? unit.slice(0, -1) : unit}`
  })
  return parts.length > 0 ? `every ${parts.join(', ')}` : null
}

/** An asset that names a table is that table; others are data sets of their own. */
const readAsset = (asset: Shape): Discovered[] => {
  const uri = asset.text('uri')
  if (parseTableUri(uri)) return []
  return [
    {
      type: 'item',
      key: assetKey(uri),
      parent: GROUP,
      entity_type: 'table',
      title: (asset.optionalText('name') || uri).slice(0, 500) || '(no name)',
      native_type: 'asset',
      facts: { uri, group: asset.optionalText('group') ?? null },
      updated_at: toTime(asset.optionalText('updated_at')) ?? null,
    },
  ]
}

/** A task reads and writes assets; a DAG that is scheduled by assets reads them, and so do its tasks that declare no others. */
function* toFlows(assets: readonly Shape[], jobs: ReadonlySet<string>): Generator<Discovered, void> {
  const dags = new Map<string, string>()
  const ends = new Map<string, { readonly from: FlowEnd[]; readonly to: FlowEnd[] }>()
  const endsOf = (job: string) => {
    const found = ends.get(job) ?? { from: [], to: [] }
    ends.set(job, found)
    return found
  }
  for (const asset of assets) {
    const uri = asset.text('uri')
    const end: FlowEnd = parseTableUri(uri) ?? { item: assetKey(uri) }
    const taskOf = (task: Shape) => {
      const key = taskKey(task.text('dag_id'), task.text('task_id'))
      dags.set(key, dagKey(task.text('dag_id')))
      return key
    }
    for (const task of asset.optionalList('producing_tasks')) endsOf(taskOf(task)).to.push(end)
    for (const task of asset.optionalList('consuming_tasks')) endsOf(taskOf(task)).from.push(end)
    // `consuming_dags` until Airflow 3.0.
    for (const dag of [...asset.optionalList('scheduled_dags'), ...asset.optionalList('consuming_dags')])
      endsOf(dagKey(dag.text('dag_id'))).from.push(end)
  }
  for (const [job, { from, to }] of ends) {
    const read = from.length > 0 ? from : (ends.get(dags.get(job) ?? '')?.from ?? [])
    if (jobs.has(job)) yield { type: 'flow', job, from: read, to }
  }
}
