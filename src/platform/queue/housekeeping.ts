import type { BackgroundMetrics } from './metrics.ts'

export interface StepOptions {
  readonly metrics?: BackgroundMetrics
  readonly onError: (error: unknown, what: string) => void
  readonly onStep?: (step: string, seconds: number) => void
}

/** Runs independent steps sequentially. A failing step is reported and does not stop the others; the next run retries it. */
export const runSteps = async <C>(
  steps: Readonly<Record<string, (ctx: C) => Promise<unknown>>>,
  ctx: C,
  { metrics, onError, onStep }: StepOptions,
): Promise<void> => {
  for (const [step, run] of Object.entries(steps)) {
    const began = performance.now()
    try {
      await run(ctx)
      metrics?.stepSuccess.set({ step }, Date.now() / 1000)
    } catch (error) {
      metrics?.stepFailure.set({ step }, Date.now() / 1000)
      onError(error, `housekeeping step ${step}`)
    }
    const seconds = (performance.now() - began) / 1000
    metrics?.stepDuration.set({ step }, seconds)
    onStep?.(step, seconds)
  }
}
