import { lazy, Suspense } from 'react'
import type { Point } from './series.ts'

const Drawn = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }))

/** The chart, whose library is loaded when one is shown. Its place is kept meanwhile. */
export const Chart = (props: { points: readonly Point[]; unit: string; label: string; height?: number }) => (
  <Suspense fallback={<div style={{ height: (props.height ?? 260) + 32 }} />}>
    <Drawn {...props} />
  </Suspense>
)
