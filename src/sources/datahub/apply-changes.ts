import { ApiError } from '../../platform/core/errors.ts'
import { isObject } from '../../platform/core/json-value.ts'
import { type Aspect, type AspectChange, type RejectedEvent, WHOLE_ENTITY } from './change.ts'
import { applyPatch, PatchBudget } from './patch.ts'
import { withoutValues } from './profile.ts'

/** What changes make of aspects. Pure. */

/** Aspects that are measured again and again: an older measurement does not replace a newer one. */
export const TIMED_ASPECTS: ReadonlySet<string> = new Set([
  ...['datasetProfile', 'datasetUsageStatistics', 'queryUsageStatistics', 'operation', 'assertionRunEvent', 'dataProcessInstanceRunEvent'],
  ...['chartUsageStatistics', 'dashboardUsageStatistics', 'datahubIngestionCheckpoint', 'datahubIngestionRunSummary'],
])

export interface ChangedAspect {
  readonly change: AspectChange
  /** Undefined: deleted. */
  readonly value: Aspect | undefined
}

export interface AppliedChanges {
  readonly changed: readonly ChangedAspect[]
  /** Entities that are deleted before that. */
  readonly deleted: ReadonlySet<string>
  /** Patches that cannot be applied. */
  readonly rejected: readonly RejectedEvent[]
}

/** In their order. */
export const applyChanges = (
  changes: readonly AspectChange[],
  getValue: (urn: string, aspect: string) => Aspect | undefined,
): AppliedChanges => {
  /** By URN and aspect. */
  const results = new Map<string, Map<string, ChangedAspect>>()
  const deleted = new Set<string>()
  const budget = new PatchBudget()
  const rejected: RejectedEvent[] = []
  for (const change of changes) {
    const { urn, aspect } = change
    if (aspect === WHOLE_ENTITY) {
      deleted.add(urn)
      results.delete(urn)
      continue
    }
    const ofEntity = results.get(urn) ?? new Map<string, ChangedAspect>()
    results.set(urn, ofEntity)
    const earlier = ofEntity.get(aspect)
    const before = earlier ? earlier.value : deleted.has(urn) ? undefined : getValue(urn, aspect)
    try {
      ofEntity.set(aspect, { change, value: applyChange(before, change, budget) })
    } catch (error) {
      if (!(error instanceof ApiError) || budget.isExceeded) throw error
      rejected.push({ event: { entityUrn: urn, aspectName: aspect, patch: change.value }, error })
    }
  }
  return { changed: [...results.values()].flatMap((ofEntity) => [...ofEntity.values()]), deleted, rejected }
}

const applyChange = (before: Aspect | undefined, { change, aspect, value }: AspectChange, budget: PatchBudget): Aspect | undefined => {
  if (change === 'delete') return undefined
  if (change === 'patch') return applyPatch(before, value, budget)
  const isOlder = TIMED_ASPECTS.has(aspect) && getMillis(before) > getMillis(value)
  if (isOlder) return before
  return aspect === 'datasetProfile' && isObject(value) ? withoutValues(value) : value
}

const getMillis = (aspect: Aspect | undefined): number =>
  isObject(aspect) && typeof aspect.timestampMillis === 'number' ? aspect.timestampMillis : 0
