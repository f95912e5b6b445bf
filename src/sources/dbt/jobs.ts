import { omitEmpty } from '../../platform/core/json-value.ts'
import { buildItemKey, type Item } from '../sync/item.ts'
import type { DbtTable, NodeRun, Project } from './project.ts'
import { toRunState } from './runs.ts'

/** The models, seeds and snapshots that ran, as jobs with their runs. Pure. */
export interface DbtJob {
  readonly table: DbtTable
  /** Newest first, at least one. */
  readonly runs: readonly NodeRun[]
}

/** The first part cannot clash, because no database has an empty name; the second differs from the jobs and runs of events. */
export const jobKey = (unique_id: string): string => buildItemKey('', 'dbt job', unique_id)
export const jobRunKey = ({ unique_id, id }: NodeRun): string => buildItemKey('', 'dbt run', unique_id, id)

/** Without those in `covered`, by unique ID: their runs arrive as events. */
export const findJobs = ({ tables, runs }: Project, covered: ReadonlySet<string>): DbtJob[] => {
  const byNode = Map.groupBy(runs, ({ unique_id }) => unique_id)
  return tables.flatMap((table) => {
    const own = table.kind === 'source' || covered.has(table.unique_id) ? undefined : byNode.get(table.unique_id)
    return own ? [{ table, runs: own }] : []
  })
}

interface JobReferences {
  readonly parent: string
  readonly owners: readonly string[]
  /** Of its table, so that the job is hidden from everybody who cannot see that. */
  readonly teams: readonly string[] | undefined
}

export function* toJobItems({ table, runs }: DbtJob, { parent, owners, teams }: JobReferences): Generator<Item, void> {
  const { unique_id, name, kind, facts } = table
  const visibility = teams ? { teams: [...teams] } : {}
  yield {
    key: jobKey(unique_id),
    parent,
    entity_type: 'job',
    fields: { title: name, native_type: `dbt ${kind}`, ...(owners.length > 0 ? { owners: [...owners] } : {}), ...visibility },
    facts: omitEmpty({ unique_id, path: facts.path, materialized: facts.materialized, last_run: describeRun(runs[0]!) }),
  }
  for (const run of runs)
    yield {
      key: jobRunKey(run),
      parent: jobKey(unique_id),
      entity_type: 'run',
      fields: { title: toTitle(run), ...visibility },
      reported: { external_updated_at: run.ended_at ?? run.started_at },
      facts: describeRun(run),
    }
}

const toTitle = ({ id, started_at, ended_at }: NodeRun): string => (started_at ?? ended_at)?.slice(0, 16).replace('T', ' ') ?? id

const describeRun = (run: NodeRun): Record<string, unknown> => {
  const { status, started_at, ended_at, rows_affected, message, command } = run
  const state = toRunState(run)
  const seconds = started_at && ended_at ? (Date.parse(ended_at) - Date.parse(started_at)) / 1000 : null
  return omitEmpty({
    ...{ state, status, started_at, ended_at, command, rows_written: rows_affected },
    duration_seconds: seconds === null ? null : Math.max(0, Math.round(seconds)),
    error: state === 'FAILED' ? message : null,
  })
}
