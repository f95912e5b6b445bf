import type { Json } from '../../platform/core/json-value.ts'
import { toTime } from '../connectors/orchestration/runs.ts'
import type { NodeRun } from './project.ts'
import { isRunResult } from './results.ts'
import { toList, toNumber, toObject, toObjects, toText } from './values.ts'

/** The runs of models, seeds and snapshots: what `run_results.json` says about each of them. Pure. */

const MAX_RUNS_PER_NODE = 25
const MAX_RUNS = 50_000 // of a project: with very many nodes, fewer of each are kept
const MAX_MESSAGE_LENGTH = 2_000
const NODE_KINDS = ['model', 'seed', 'snapshot']

/** One run of each node of `run_results.json`. Tests are measured instead. */
export const parseRuns = (run_results: unknown): NodeRun[] => {
  const file = isRunResult(run_results) ? toObject(run_results) : undefined
  const metadata = toObject(file?.metadata)
  const generated_at = toTime(toText(metadata?.generated_at) ?? undefined)
  const invocation = toText(metadata?.invocation_id)
  const command = toText(toObject(file?.args)?.which)
  return toObjects(toList(file?.results)).flatMap((result) => {
    const unique_id = toText(result.unique_id)
    const status = toText(result.status)?.toLowerCase()
    if (!unique_id || !status || !NODE_KINDS.includes(unique_id.split('.')[0]!)) return []
    const { started_at, ended_at } = readTimes(result, generated_at)
    const id = invocation ?? ended_at
    if (!id) return []
    return [{ unique_id, id, status, started_at, ended_at, command, ...readOutcome(result) }]
  })
}

/** From the first to the last of its phases. A skipped node has none: the file says when it was written. */
const readTimes = (result: Json, generated_at: string | undefined): { started_at: string | null; ended_at: string | null } => {
  const phases = toObjects(toList(result.timing))
  const times = (field: string) => phases.flatMap((phase) => toTime(toText(phase[field]) ?? undefined) ?? []).sort()
  return { started_at: times('started_at')[0] ?? null, ended_at: times('completed_at').at(-1) ?? generated_at ?? null }
}

const readOutcome = (result: Json): Pick<NodeRun, 'rows_affected' | 'message'> => {
  const rows = toNumber(toObject(result.adapter_response)?.rows_affected)
  return {
    rows_affected: rows !== null && rows >= 0 ? rows : null, // Postgres reports -1 for a created view
    message: toText(result.message)?.slice(0, MAX_MESSAGE_LENGTH) ?? null,
  }
}

/** The newest runs of each node, newest first. The same run of a later file replaces the one before. */
export const mergeRuns = (before: readonly NodeRun[], after: readonly NodeRun[]): NodeRun[] => {
  const byNode = Map.groupBy([...before, ...after], ({ unique_id }) => unique_id)
  const kept = Math.max(1, Math.min(MAX_RUNS_PER_NODE, Math.floor(MAX_RUNS / Math.max(1, byNode.size))))
  return [...byNode.values()].flatMap((runs) =>
    [...new Map(runs.map((run) => [run.id, run])).values()].sort((one, other) => (getTime(one) < getTime(other) ? 1 : -1)).slice(0, kept),
  )
}

const getTime = ({ started_at, ended_at }: NodeRun): string => ended_at ?? started_at ?? ''

const STATES: Readonly<Record<string, string>> = { error: 'FAILED', fail: 'FAILED', 'runtime error': 'FAILED', skipped: 'ABORTED' }

/** As the runs of other jobs. A model of which only some batches succeeded has failed. */
export const toRunState = ({ status }: NodeRun): string => STATES[status] ?? (status.startsWith('partial') ? 'FAILED' : 'COMPLETED')
