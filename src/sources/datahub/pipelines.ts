import type { AspectChange } from './change.ts'

const DEFAULT_NAME = 'DataHub'

type Sender = Pick<AspectChange, 'pipeline' | 'run'>

/** By the names of their integrations. DataHub names the pipeline in some events of a run only. Pure. */
export const groupByPipeline = <T extends Sender>(events: readonly T[], all: readonly Sender[]): Map<string, T[]> => {
  const ofRuns = new Map(all.flatMap(({ run, pipeline }) => (run && pipeline ? [[run, pipeline] as const] : [])))
  return Map.groupBy(events, ({ run, pipeline }) => pipeline ?? (run ? ofRuns.get(run) : undefined) ?? DEFAULT_NAME)
}
