import type { RunContext } from '../../../../connector/src/define.ts'
import { isObject } from '../../../../connector/src/protocol.ts'
import { concernsWholeSource, isUnknownEndpoint } from '../bi/bi-client.ts'
import { packEntries, unpackEntries } from './pack-entries.ts'
import { type JobRun, toRunState } from './runs.ts'

/** Changes are requested from this long before the last sync, because clocks differ and some tools show a change late. */
const OVERLAP_MS = 60 * 60_000
/** All runs are read again after this time, because lists of changes do not contain runs that the source has deleted. */
const MAX_AGE_MS = 7 * 86_400_000
/** With more changed runs per job (half of a page), one request per job is cheaper than the list of changes. */
const MAX_CHANGED_PER_JOB = 50
/** After this many (one page), it is checked whether there are too many. */
const FIRST_CHANGED = 100
/** Of the state, which is one message of at most 1 MB. Runs of jobs that do not fit are read by every sync. */
export const MAX_STATE_LENGTH = 900_000

/** The runs of all jobs that began, ended or changed since a time. */
export interface ChangedRuns {
  /** The job of each changed run. `known`: the runs that the last sync read. */
  list(since: string, known: readonly JobRun[]): AsyncIterable<string>
  /** Whether there are more than these. */
  exceed(since: string, limit: number, known: readonly JobRun[]): Promise<boolean>
  /** A sentence for the log: which versions of the source have this list. */
  readonly supported?: string
}

type RunsOfJob = readonly [job: string, runs: readonly JobRun[]]

/**
 * The runs that the last sync read, stored in the connector's state. Runs are requested only for jobs that have a new or changed run, or had one that
 * was still running. All runs, saved or requested, are reported with every sync.
 */
export class SavedRuns {
  readonly #startedAt: Date
  readonly #readAt: Date
  readonly #before: ReadonlyMap<string, readonly JobRun[]>
  readonly #current = new Map<string, readonly JobRun[]>()

  private constructor(startedAt: Date, readAt: Date, before: ReadonlyMap<string, readonly JobRun[]>) {
    this.#startedAt = startedAt
    this.#readAt = readAt
    this.#before = before
  }

  static async load({ state, log }: Pick<RunContext, 'state' | 'log'>, runs: ChangedRuns): Promise<SavedRuns> {
    const startedAt = new Date()
    const saved = await readState(state, log)
    if (!saved || !isRecent(saved.since, startedAt) || !isRecent(saved.readAt, startedAt))
      return new SavedRuns(startedAt, startedAt, new Map())
    const since = new Date(saved.since.getTime() - OVERLAP_MS).toISOString().replace(/\.\d+/, '')
    const changed = await findChanged(runs, since, saved.runs).catch(async (error: Error) => {
      if (concernsWholeSource(error)) throw error
      await log(explainFailure(error, runs))
      return undefined
    })
    if (!changed) return new SavedRuns(startedAt, startedAt, new Map())
    const isOver = (each: readonly JobRun[]) => each.every(({ status }) => toRunState(status) !== 'RUNNING')
    const unchanged = saved.runs.filter(([job, each]) => !changed.has(job) && isOver(each))
    return new SavedRuns(startedAt, saved.readAt, new Map(unchanged))
  }

  /** The runs of this job, newest first. */
  async read(job: string, load: () => Promise<readonly JobRun[]>): Promise<readonly JobRun[]> {
    return (await this.find(job, load))!
  }

  /** Undefined if `load` finds that the job is gone. */
  async find(job: string, load: () => Promise<readonly JobRun[] | undefined>): Promise<readonly JobRun[] | undefined> {
    const runs = this.#before.get(job) ?? (await load())
    if (runs) this.#current.set(job, runs)
    return runs
  }

  /** For the next sync. */
  async toState(maxLength = MAX_STATE_LENGTH): Promise<object> {
    const times = { since: this.#startedAt.toISOString(), read_at: this.#readAt.toISOString() }
    return { ...times, runs: await packEntries([...this.#current], maxLength) }
  }
}

const READ_ALL = 'the runs of all jobs are read. That takes longer, and nothing is missing.'

const explainFailure = (error: Error, { supported }: ChangedRuns): string =>
  isUnknownEndpoint(error)
    ? `This source does not list the runs that changed since the last sync, so ${READ_ALL} ${supported ? `${supported} ` : ''}(${error.message})`
    : `The runs that changed since the last sync cannot be listed, so ${READ_ALL} ${error.message}`

/** Not if it is in the future, because the clock was corrected since, or no date at all. */
const isRecent = (time: Date, now: Date): boolean => {
  const age = now.getTime() - time.getTime()
  return age >= 0 && age <= MAX_AGE_MS
}

/** Undefined if there are too many. */
const findChanged = async (runs: ChangedRuns, since: string, saved: readonly RunsOfJob[]): Promise<Set<string> | undefined> => {
  const limit = saved.length * MAX_CHANGED_PER_JOB
  const known = saved.flatMap(([, each]) => each)
  const changed = new Set<string>()
  let count = 0
  for await (const job of runs.list(since, known)) {
    changed.add(job)
    count += 1
    if (count > limit || (count === FIRST_CHANGED && (await runs.exceed(since, limit, known)))) return undefined
  }
  return changed
}

const readState = async (state: unknown, log: RunContext['log']) => {
  if (!isObject(state) || typeof state.since !== 'string' || typeof state.read_at !== 'string' || typeof state.runs !== 'string')
    return undefined
  try {
    const runs = await unpackEntries(state.runs)
    if (!isRunList(runs)) throw new Error('It is not a list of jobs and their runs.')
    return { since: new Date(state.since), readAt: new Date(state.read_at), runs }
  } catch (error) {
    await log(`The runs saved by the last sync cannot be used, so ${READ_ALL} ${(error as Error).message}`) // e.g. too large
    return undefined
  }
}

const isRunList = (runs: unknown): runs is RunsOfJob[] =>
  Array.isArray(runs) &&
  runs.every(
    (each: unknown) =>
      Array.isArray(each) && typeof each[0] === 'string' && Array.isArray(each[1]) && each[1].every((run: unknown) => isJobRun(run)),
  )

const isJobRun = (run: unknown): boolean => isObject(run) && typeof run.id === 'string' && typeof run.status === 'string'
