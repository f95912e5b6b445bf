import type { Discovered, RunContext } from '../../../../connector/src/define.ts'
import { isObject } from '../../../../connector/src/protocol.ts'
import { listIfPossible } from '../bi/bi-client.ts'
import { packEntries, unpackEntries } from '../orchestration/pack-entries.ts'
import type { JobRun } from '../orchestration/runs.ts'
import type { DagVersion } from './airflow-api.ts'

/** Versions are requested from this long before the last sync, because the clock of Airflow may differ. */
const OVERLAP_MS = 60 * 60_000
/** After this time, everything is read again. */
const MAX_AGE_MS = 7 * 86_400_000

/** Lists the newest version of each DAG that got a new one since that time, or of all DAGs. Airflow 2 has no versions. */
type ListVersions = (since: Date | undefined) => Promise<ReadonlyMap<string, DagVersion>>

/** `version` is the ID of the version that the tasks belong to. */
type TasksOfDag = readonly [dag: string, version: string, tasks: readonly Discovered[]]

/**
 * The tasks that the last sync read, stored in the connector's state. The tasks of a DAG are read again only if it has a new version. Tasks of a
 * version without runs are not stored, because Airflow replaces them without creating a new version.
 */
export class SavedTasks {
  readonly #readAt: Date
  readonly #saved: ReadonlyMap<string, TasksOfDag>
  readonly #versions: ReadonlyMap<string, DagVersion>
  readonly #listed: [string, DagVersion][] = []
  readonly #current = new Map<string, TasksOfDag>()

  private constructor(readAt: Date, versions: ReadonlyMap<string, DagVersion>, saved: readonly TasksOfDag[]) {
    this.#readAt = readAt
    this.#versions = versions
    this.#saved = new Map(saved.map((each) => [each[0], each]))
  }

  static async load(context: Pick<RunContext, 'state' | 'log'>, listVersions: ListVersions): Promise<SavedTasks> {
    const now = new Date()
    const state = await readState(context.state, now)
    const list = (since?: Date) => listIfPossible(listVersions(since), 'Airflow: versions of DAGs', context)
    if (!state) return new SavedTasks(now, (await list()) ?? new Map(), [])
    const fresh = await list(new Date(state.since.getTime() - OVERLAP_MS))
    if (!fresh) return new SavedTasks(now, new Map(), [])
    const versions = new Map([...state.versions, ...fresh])
    return new SavedTasks(
      state.readAt,
      versions,
      state.tasks.filter(([dag, version]) => versions.get(dag)?.id === version),
    )
  }

  /** `runs` must have been read before the tasks: the version they used can no longer change. */
  async read(dag: string, runs: readonly JobRun[], load: () => Promise<readonly Discovered[]>): Promise<readonly Discovered[]> {
    const saved = this.#saved.get(dag)
    const version = this.#versions.get(dag)
    const tasks = saved?.[2] ?? (await load())
    const isUsed = saved !== undefined || runs.some(({ facts }) => facts?.dag_version === version?.number)
    if (version) this.#listed.push([dag, version])
    if (version && tasks.length > 0 && isUsed) this.#current.set(dag, [dag, version.id, tasks])
    return tasks
  }

  /** The state for the next sync, with as many tasks as fit. */
  async toState(maxLength: number): Promise<object> {
    if (this.#listed.length === 0) return {}
    const versions = await packEntries(this.#listed, maxLength / 4)
    return {
      tasks_read_at: this.#readAt.toISOString(),
      versions,
      tasks: await packEntries([...this.#current.values()], maxLength - versions.length),
    }
  }
}

/** Undefined if it is too old, from the future (the clock was corrected since), or in another format. */
const readState = async (state: unknown, now: Date) => {
  if (!isObject(state) || typeof state.tasks !== 'string' || typeof state.versions !== 'string') return undefined
  const [since, readAt] = [new Date(String(state.since)), new Date(String(state.tasks_read_at))]
  const isRecent = (time: Date) => now.getTime() - time.getTime() >= 0 && now.getTime() - time.getTime() <= MAX_AGE_MS
  if (!isRecent(since) || !isRecent(readAt)) return undefined
  try {
    const [tasks, versions] = [await unpackEntries(state.tasks), await unpackEntries(state.versions)]
    return { since, readAt, tasks: tasks as TasksOfDag[], versions: versions as [string, DagVersion][] }
  } catch {
    return undefined
  }
}
