import { type Limits, type Measurement, rebuild, type ThresholdsMeta } from './thresholds.ts'

/** Series of measurements for tests. */
export const HOUR = 3_600_000
export const MONDAY = Date.UTC(2025, 0, 6, 3)

/** Deterministic noise in -1..1. */
export const deterministicNoise = (k: number) => 2 * ((Math.sin(12.9898 * (k + 1)) * 43758.5453) % 1)

export const daily = (values: readonly number[], from = MONDAY): Measurement[] =>
  values.map((value, k) => ({ at: new Date(from + k * 24 * HOUR), value }))

export const hourly = (values: readonly number[]): Measurement[] => values.map((value, k) => ({ at: new Date(MONDAY + k * HOUR), value }))

export const rowCounts = (n: number, around = 1000) => Array.from({ length: n }, (_, k) => Math.round(around + 20 * deterministicNoise(k)))

export const nextRunAfter = (measurements: readonly Measurement[], hours = 24) => new Date(measurements.at(-1)!.at.getTime() + hours * HOUR)

export const limitsAfter = (measurements: readonly Measurement[], meta: Partial<ThresholdsMeta> = {}): Limits => {
  const full = { metric_type: 'row_count', frequency_hours: 24, ...meta }
  const limits = rebuild(full, measurements).predict(nextRunAfter(measurements, full.frequency_hours))
  if (!limits) throw new Error('still learning')
  return limits
}

export const getSpan = ({ lower, upper }: Limits) => upper - lower
