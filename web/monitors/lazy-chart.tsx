import { lazy, Suspense } from 'react'
import type { ChartPoint } from './series.ts'

const LazyChart = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }))

/** The chart, loaded on first use; the fallback reserves its height. */
export const Chart = (props: { points: readonly ChartPoint[]; unit: string; label: string; height?: number }) => (
  <Suspense fallback={<div style={{ height: (props.height ?? 260) + 32 }} />}>
    <LazyChart {...props} />
  </Suspense>
)
