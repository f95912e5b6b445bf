import { createBatchWatcher } from './batches.ts'
import { createDenseWatcher } from './dense.ts'
import type { Run, Setting, Watcher } from './outlook.ts'
import { textureOf } from './presence.ts'
import { createSparseWatcher } from './sparse.ts'
import { suspectsOf } from './suspects.ts'

type History = readonly Omit<Run, 'suspect'>[]

/** Chooses the forecaster that suits the history and trains it. */
export const watcherFor = (setting: Setting, history: History): Watcher => {
  const { daily, slots } = setting.rhythm
  const values = history.map(({ x }) => x)
  const texture = textureOf(setting, history)
  const warm = daily ? 14 : 2 * slots
  const watcher =
    texture === 'sparse'
      ? createSparseWatcher(setting)
      : texture === 'batches'
        ? createBatchWatcher(setting, values)
        : createDenseWatcher(setting, values, true, { first_runs: 5, warm })
  const telling = texture === 'dense' ? history : history.filter(({ x }) => x !== 0)
  const suspects = suspectsOf(setting, telling, daily ? 14 : 3 * slots)
  for (const run of history) watcher.absorb({ ...run, suspect: suspects.has(run) && !run.normal })
  return watcher
}
