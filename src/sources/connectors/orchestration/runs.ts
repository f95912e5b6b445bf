import type { Discovered } from '../../../../connector/src/define.ts'
import { childKey } from '../bi/item-parts.ts'

/** Runs of jobs, as connectors of orchestrators report them. Pure. */

/** How many runs of a job are read, newest first. */
export const MAX_RUNS = 25

export interface JobRun {
  readonly id: string
  readonly title?: string | undefined
  /** As the source names its states. */
  readonly status: string
  readonly started_at?: string | undefined
  readonly ended_at?: string | undefined
  readonly url?: string | undefined
  readonly facts?: Readonly<Record<string, unknown>>
}

/** The states of OpenLineage, so that runs of all sources can be compared. */
const STATES: readonly (readonly [state: string, names: readonly string[]])[] = [
  ['COMPLETED', ['success', 'succeeded', 'completed', 'complete']],
  ['FAILED', ['failed', 'failure', 'error', 'crashed', 'failure_with_task']],
  ['ABORTED', ['canceled', 'cancelled', 'aborted', 'skipped', 'upstream_failed', 'cancelling', 'canceling', 'removed']],
]

/** `RUNNING` for all that are not over. */
export const toRunState = (status: string): string => STATES.find(([, names]) => names.includes(status.toLowerCase()))?.[0] ?? 'RUNNING'

const describeRun = ({ status, started_at, ended_at, facts }: JobRun) => {
  const seconds = started_at && ended_at ? (Date.parse(ended_at) - Date.parse(started_at)) / 1000 : Number.NaN
  return {
    state: toRunState(status),
    status,
    ...(started_at ? { started_at } : {}),
    ...(ended_at ? { ended_at } : {}),
    ...(Number.isFinite(seconds) ? { duration_seconds: Math.max(0, Math.round(seconds)) } : {}),
    ...facts,
  }
}

/** For the facts of the job: its newest run. */
export const toLastRun = (runs: readonly JobRun[]): { last_run?: object } => (runs[0] ? { last_run: describeRun(runs[0]) } : {})

/** The runs below the job of this key, newest first, as far as they are kept. */
export const toRunItems = (job: string, runs: readonly JobRun[]): Discovered[] =>
  [...new Map(runs.map((run) => [run.id, run])).values()].slice(0, MAX_RUNS).map((run) => ({
    type: 'item',
    key: childKey(job, run.id),
    parent: job,
    entity_type: 'run',
    title: (run.title ?? run.id).slice(0, 500) || '(no name)',
    ...(run.url ? { url: run.url } : {}),
    updated_at: run.ended_at ?? run.started_at ?? null,
    facts: describeRun(run),
  }))

/** Times of sources that state no zone are in UTC; what is no time is left out. */
export const toTime = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const time = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
