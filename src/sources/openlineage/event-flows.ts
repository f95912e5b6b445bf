import { type DerivedChange, saveAllDerivedEdges } from '../../lineage/edges/derived.ts'
import type { Context } from '../../platform/context/context.ts'
import {
  findFlowTargets,
  flowEdges,
  hasNoFlows,
  isSameFlows,
  type JobFlows,
  mergeFlows,
  NO_FLOWS,
  toFlowEvidence,
} from '../job-flows/flows.ts'
import { findFlows, saveFlows } from '../job-flows/job-flow-rows.ts'
import type { Event } from './event.ts'
import { isFinished } from './facets.ts'

/** What an event says about the flows of its job, or of its dataset if it has no job. */
export interface EventFlows {
  readonly event: Event
  /** The resource whose flows these are. */
  readonly owner: string
  readonly job: string | undefined
  readonly run: string | undefined
  readonly flows: JobFlows
}

/** Resources whose flows were looked up or that are new, and the flows that they have. */
export interface LookedUpFlows {
  readonly resources: ReadonlySet<string>
  readonly flows: ReadonlyMap<string, JobFlows>
}

interface ChangedFlows {
  readonly evidence: string
  readonly job: string | undefined
  readonly targets: Set<string>
}

/**
 * Saves the flows of events, in their order, and the edges of the jobs whose flows changed. A run that completes replaces the flows of its job
 * with those of all its events; until then its flows are added to the known ones, and a failed run changes nothing. So the graph does not
 * change with every start.
 */
export const saveEventFlows = async (ctx: Context, events: readonly EventFlows[], looked: LookedUpFlows): Promise<void> => {
  const resources = new Set(events.flatMap(({ owner, run }) => [owner, ...(run ? [run] : [])]))
  const stored = new Map([...looked.flows, ...(await findFlows(ctx.db, [...resources.difference(looked.resources)]))])
  const current = new Map(stored)
  const changed = new Map<string, ChangedFlows>()
  for (const { event, owner, job, run, flows } of events) {
    const before = current.get(owner) ?? NO_FLOWS
    const runFlows = run ? addFlows(current.get(run) ?? NO_FLOWS, flows) : flows
    const ended = event.kind !== 'run' || isFinished(event.type)
    // What a finished run read and wrote stays known; its column flows are those of the job.
    const kept = ended ? { ...runFlows, columns: [] } : runFlows
    if (run && !hasNoFlows(kept)) current.set(run, kept)
    const final = event.kind !== 'run' || event.type === 'COMPLETE'
    if (hasNoFlows(runFlows) || (ended && !final)) continue
    const after = final ? runFlows : addFlows(before, runFlows)
    if (isSameFlows(after, before)) {
      current.set(owner, after) // the next event has the same object, which is not compared
      continue
    }
    if (!final && (after.inputs.length === 0 || after.outputs.length === 0)) continue
    current.set(owner, after)
    const evidence = event.kind === 'dataset' ? toFlowEvidence('dataset', event.outputs[0]!) : toFlowEvidence('job', event.job)
    const change = changed.get(owner) ?? { evidence, job, targets: new Set() }
    for (const target of [...findFlowTargets(before, job), ...findFlowTargets(after, job)]) change.targets.add(target)
    changed.set(owner, change)
  }
  await saveFlows(ctx.db, new Map([...current].filter(([id, flows]) => !isSameFlows(flows, stored.get(id) ?? NO_FLOWS))))
  const changes = [...changed].map(
    ([owner, { evidence: sql, job, targets }]): DerivedChange => ({
      lineage: {
        query: {
          sql,
          dialect: 'openlineage',
          engine_version: 'openlineage',
          statements: [{ kind: 'job', start: 0, end: sql.length, job }],
        },
        targets: [...targets],
        edges: flowEdges(current.get(owner)!, job, sql.length),
      },
      replace: [],
    }),
  )
  await saveAllDerivedEdges(ctx, changes)
}

/** The same flows again, of the next event of a run, are not sorted again. */
const addFlows = (one: JobFlows, other: JobFlows): JobFlows => (hasNoFlows(one) || isSameFlows(one, other) ? other : mergeFlows(one, other))
