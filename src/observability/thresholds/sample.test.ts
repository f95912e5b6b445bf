import { expect, test } from 'vitest'
import { createThresholds } from './thresholds.ts'

/** A deterministic number in 0..1. */
const deterministicChance = (n: number): number => Math.abs(Math.sin(12.9898 * (n + 1)) * 43_758.5453) % 1
const dayAt = (day: number) => new Date(Date.UTC(2026, 0, 5) + day * 86_400_000)

/** The limits after this many days of percentages, each with its row count. */
const limitsAfter = (days: number, rows: number, value: (day: number) => number) => {
  const thresholds = createThresholds({ metric_type: 'null_percentage', frequency_hours: 24 })
  for (let day = 0; day < days; day += 1) thresholds.observe(dayAt(day), value(day), { row_count: rows })
  return thresholds.predict(dayAt(days), { row_count: rows })!
}

test('a percentage of a few new rows each day has wide limits', () => {
  const limits = limitsAfter(
    60,
    50,
    (day) => (100 * Array.from({ length: 50 }, (_, i) => deterministicChance(50 * day + i)).filter((x) => x < 0.2).length) / 50,
  )
  expect([limits.lower, limits.upper]).toEqual([expect.closeTo(0, 0), expect.any(Number)])
  expect(limits.upper).toBeGreaterThan(36) // three sd
  expect(limits.explanation).toContain('few rows')
})

test('a percentage of mostly unchanged rows has narrow limits', () => {
  const { lower, upper } = limitsAfter(90, 2600, (day) => 57 + 0.05 * (2 * deterministicChance(day) - 1))
  expect(57 - lower).toBeLessThan(1.5) // a random sample would allow more than three
  expect(upper - 57).toBeLessThan(1.5)
})
