import { lazy, Suspense } from 'react'
import type { Point } from './series.ts'

const Drawn = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }))

/** The chart, loaded on first use; the fallback reserves its height. */
export const Chart = (props: { points: readonly Point[]; unit: string; label: string; height?: number }) => (
  <Suspense fallback={<div style={{ height: (props.height ?? 260) + 32 }} />}>
    <Drawn {...props} />
  </Suspense>
)
