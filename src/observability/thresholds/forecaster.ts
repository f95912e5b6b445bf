import { createBatchForecaster } from './batch-forecaster.ts'
import { classifySeries } from './batch-presence.ts'
import { createDenseForecaster } from './dense-forecaster.ts'
import { findInitialOutliers } from './initial-outliers.ts'
import type { Forecaster, ForecasterSettings, ObservedRun } from './run-forecast.ts'
import { createSparseForecaster } from './sparse-forecaster.ts'

type History = readonly Omit<ObservedRun, 'suspect'>[]

/** Chooses the forecaster that suits the history and trains it. */
export const createForecaster = (settings: ForecasterSettings, history: History): Forecaster => {
  const { daily, slots } = settings.rhythm
  const values = history.map(({ x }) => x)
  const kind = classifySeries(settings, history)
  const warm = daily ? 14 : 2 * slots
  const forecaster =
    kind === 'sparse'
      ? createSparseForecaster(settings)
      : kind === 'batches'
        ? createBatchForecaster(settings, values)
        : createDenseForecaster(settings, values, true, { first_runs: 5, warm })
  const relevant = kind === 'dense' ? history : history.filter(({ x }) => x !== 0)
  const outliers = findInitialOutliers(settings, relevant, daily ? 14 : 3 * slots)
  for (const run of history) forecaster.observe({ ...run, suspect: outliers.has(run) && !run.normal })
  return forecaster
}
