import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getRhythm } from './calendar.ts'
import { getMetricBounds } from './metric-bounds.ts'
import type { RunForecast } from './run-forecast.ts'
import { getWidth, limitsAt } from './sensitivity.ts'
import { daily, deterministicNoise, getSpan, HOUR, hourly, limitsAfter, MONDAY, nextRunAfter, rowCounts } from './test-series.ts'
import { createThresholds, rebuild } from './thresholds.ts'

const STEPS = Array.from({ length: 10 }, (_, k) => k + 1)

test.each([1, 6, 24, 168])('every %i h: each step of sensitivity is narrower, with width 1 at 5', (frequency_hours) => {
  const widths = STEPS.map((step) => getWidth(step, getRhythm(frequency_hours)))
  for (const [k, width] of widths.slice(1).entries()) expect(width).toBeLessThan(widths[k]!)
  expect(widths[4]).toBe(1)
})

test('invalid sensitivities are replaced by the nearest valid one, or 5', () => {
  const width = (sensitivity: number) => getWidth(sensitivity, getRhythm(24))
  expect([width(99), width(-3), width(Number.NaN), width(5.2)]).toEqual([width(10), width(1), 1, 1])
})

const createForecast = (lower: number, upper: number, more: Partial<RunForecast> = {}): RunForecast => {
  const band = { lower, centre: (lower + upper) / 2, upper }
  const core = { lower: band.centre, upper: band.centre }
  return { usual: band, limits: band, core, reasons: [], follows: { weekday: false, hour: false }, integer: false, ...more }
}
const limitsAtSensitivity = (forecast: RunForecast, metric_type: string, sensitivity: number) =>
  limitsAt(forecast, getMetricBounds(metric_type), getWidth(sensitivity, getRhythm(24)))

test('limits are unchanged at sensitivity 5', () =>
  expect(limitsAtSensitivity(createForecast(90, 110), 'row_count', 5)).toEqual({ lower: 90, centre: 100, upper: 110 }))

test('zero is outside at every sensitivity', () => {
  for (const step of STEPS)
    expect(limitsAtSensitivity(createForecast(600, 1400, { integer: true }), 'row_count', step).lower).toBeGreaterThan(0)
})

test('limits stay within the bounds of the metric', () => {
  for (const step of STEPS) {
    expect(limitsAtSensitivity(createForecast(0, 0.5), 'null_percentage', step).lower).toBe(0)
    expect(limitsAtSensitivity(createForecast(99, 100), 'unique_percentage', step).upper).toBe(100)
    expect(limitsAtSensitivity(createForecast(0, 12), 'freshness', step).lower).toBe(0)
  }
  expect(limitsAtSensitivity(createForecast(20, 80), 'null_percentage', 1)).toMatchObject({ lower: 0, upper: 100 })
})

test('the core stays inside at every sensitivity', () => {
  const month_end = createForecast(80, 400, { core: { lower: 100, upper: 300 } })
  expect(limitsAtSensitivity(month_end, 'row_count', 10)).toMatchObject({ lower: expect.any(Number), upper: 335 })
  expect(limitsAtSensitivity(createForecast(-5, 400, { core: { lower: 0, upper: 300 } }), 'custom_sql', 10).lower).toBeLessThanOrEqual(0)
})

describe('limits of a monitor', () => {
  test.each([
    ['row_count', 24, daily(rowCounts(60))],
    ['row_count', 24, daily(Array.from({ length: 60 }, (_, k) => (k % 9 === 4 ? 12 + (k % 5) : 0)))],
    [
      'row_count',
      1,
      hourly(Array.from({ length: 300 }, (_, k) => Math.round(500 + 300 * Math.sin((k * Math.PI) / 12) + 30 * deterministicNoise(k)))),
    ],
    ['null_percentage', 24, daily(Array.from({ length: 60 }, (_, k) => 20 + deterministicNoise(k)))],
    ['freshness', 24, daily(Array.from({ length: 60 }, (_, k) => 5 + deterministicNoise(k)))],
  ])('each step narrows the limits of %s every %i h', (metric_type, frequency_hours, values) => {
    const steps = Array.from({ length: 10 }, (_, k) => limitsAfter(values, { metric_type, frequency_hours, sensitivity: k + 1 }))
    for (const [k, limits] of steps.slice(1).entries()) {
      expect(limits.lower).toBeGreaterThanOrEqual(steps[k]!.lower)
      expect(limits.upper).toBeLessThanOrEqual(steps[k]!.upper)
    }
    expect(getSpan(steps[9]!)).toBeLessThan(getSpan(steps[0]!))
  })

  const measured = fc.oneof(
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: 900, max: 1100 }),
    fc.double({ min: 0, max: 100, noNaN: true }),
    fc.constantFrom(0, 0, 0, 1000, 5000, -20, 1e12),
  )

  test('a higher sensitivity never has wider limits, for any values', () => {
    fc.assert(
      fc.property(
        fc.array(measured, { minLength: 5, maxLength: 60 }),
        fc.constantFrom('row_count', 'null_percentage', 'unique_percentage', 'freshness', 'mean', 'max', 'cardinality', 'custom_sql'),
        fc.constantFrom(1, 6, 24, 168),
        fc.constantFrom(undefined, 0, 12, 4000),
        (values, metric_type, frequency_hours, row_count) => {
          const thresholds = createThresholds({ metric_type, frequency_hours })
          // Starts with enough equal values that hourly monitors have limits too.
          for (const [k, value] of [...values, ...values, ...values].entries()) {
            const at = new Date(MONDAY + k * frequency_hours * HOUR)
            const steps = Array.from({ length: 10 }, (_, s) => thresholds.predict(at, { row_count, sensitivity: s + 1 }))
            for (const [s, limits] of steps.slice(1).entries()) {
              if (!limits) continue
              expect(limits.lower).toBeGreaterThanOrEqual(steps[s]!.lower)
              expect(limits.upper).toBeLessThanOrEqual(steps[s]!.upper)
              expect(limits.lower).toBeLessThanOrEqual(limits.upper)
            }
            thresholds.observe(at, value, { row_count, ...(k % 17 === 16 ? { marked: 'normal' as const } : {}) })
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('a monitor with sensitivity 5 gives the same limits at 8 as one with sensitivity 8', () => {
    const values = daily(rowCounts(60))
    const requested = rebuild({ metric_type: 'row_count', frequency_hours: 24 }, values).predict(nextRunAfter(values), { sensitivity: 8 })
    expect(requested).toEqual(limitsAfter(values, { sensitivity: 8 }))
  })

  test('earlier values on this day of the month are expected even at the highest sensitivity', () => {
    const first = Date.UTC(2025, 0, 2)
    const values = daily(
      Array.from({ length: 89 }, (_, k) =>
        Math.round((new Date(first + k * 24 * HOUR).getUTCDate() === 1 ? 4000 : 1000) + 10 * deterministicNoise(k)),
      ),
      first,
    )
    expect(limitsAfter(values, { sensitivity: 10 })).toMatchObject({ upper: expect.any(Number) })
    expect(limitsAfter(values, { sensitivity: 10 }).upper).toBeGreaterThan(4000)
  })

  test('small changes of a constant total are inside, a growing total that stops is outside', () => {
    const resting = limitsAfter(daily(Array.from({ length: 60 }, (_, k) => (k < 30 ? 50_000 : 50_020))))
    expect([resting.lower < 49_900, resting.upper > 50_100, resting.upper < 51_000]).toEqual([true, true, true])
    const growing = daily(Array.from({ length: 60 }, (_, k) => 50_000 + 100 * k + Math.round(5 * deterministicNoise(k))))
    expect(limitsAfter(growing).lower).toBeGreaterThan(growing.at(-1)!.value)
  })

  test('the default sensitivity is 5', () => {
    expect(limitsAfter(daily(rowCounts(30)))).toEqual(limitsAfter(daily(rowCounts(30)), { sensitivity: 5 }))
  })
})
