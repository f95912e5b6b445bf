import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { daily, deterministicNoise, getSpan, HOUR, hourly, limitsAfter, MONDAY, nextRunAfter, rowCounts } from './test-series.ts'
import { createThresholds, type Measurement, rebuild } from './thresholds.ts'

describe('learning', () => {
  test('a daily monitor has limits after five runs, not before', () => {
    const values = daily(rowCounts(5))
    expect(rebuild({ metric_type: 'row_count', frequency_hours: 24 }, values.slice(0, 4)).predict(nextRunAfter(values))).toBeUndefined()
    expect(limitsAfter(values)).toMatchObject({ lower: expect.any(Number), upper: expect.any(Number) })
  })

  test('an hourly monitor has limits after 24 runs, not before', () => {
    const values = hourly(rowCounts(24))
    const meta = { metric_type: 'row_count', frequency_hours: 1 }
    expect(rebuild(meta, values.slice(0, 23)).predict(nextRunAfter(values, 1))).toBeUndefined()
    expect(rebuild(meta, values).predict(nextRunAfter(values, 1))).toBeDefined()
  })

  test('a weekly monitor has limits after five runs', () => {
    const values = rowCounts(5).map((value, k) => ({ at: new Date(MONDAY + k * 168 * HOUR), value }))
    expect(getSpan(limitsAfter(values, { frequency_hours: 168 }))).toBeGreaterThan(0)
  })

  test('a table with only zero rows has no limits in its first week', () => {
    expect(
      rebuild({ metric_type: 'row_count', frequency_hours: 24 }, daily([0, 0, 0, 0, 0])).predict(new Date(MONDAY + 120 * HOUR)),
    ).toBeUndefined()
    expect(limitsAfter(daily([0, 0, 0, 0, 0, 0, 0, 0]))).toMatchObject({ lower: 0 })
  })

  test('an incident in the first days does not widen later limits', () => {
    const spoiled = rowCounts(30).map((value, k) => (k === 7 ? 0 : value))
    expect(getSpan(limitsAfter(daily(spoiled)))).toBeLessThan(1.5 * getSpan(limitsAfter(daily(rowCounts(30)))))
  })
})

describe('limits', () => {
  test('normal values are inside, half or double the rows are outside', () => {
    const { lower, upper } = limitsAfter(daily(rowCounts(40)))
    expect(lower).toBeLessThan(975)
    expect(lower).toBeGreaterThan(700)
    expect(upper).toBeGreaterThan(1025)
    expect(upper).toBeLessThan(1300)
  })

  test('weekends have their own limits', () => {
    const values = daily(
      Array.from({ length: 40 }, (_, k) => Math.round(([5, 6].includes(k % 7) ? 200 : 1000) + 10 * deterministicNoise(k))),
    )
    const meta = { metric_type: 'row_count', frequency_hours: 24 }
    const saturday = rebuild(meta, values.slice(0, 40)).predict(new Date(MONDAY + 40 * 24 * HOUR))
    const monday = rebuild(meta, values.slice(0, 35)).predict(new Date(MONDAY + 35 * 24 * HOUR))
    expect(saturday!.upper).toBeLessThan(600)
    expect(monday!.lower).toBeGreaterThan(600)
  })

  test('a weekly batch is expected on its weekday only', () => {
    const values = daily(Array.from({ length: 42 }, (_, k) => (k % 7 === 3 ? 40_000 + Math.round(500 * deterministicNoise(k)) : 0)))
    const thresholds = rebuild({ metric_type: 'row_count', frequency_hours: 24 }, values)
    expect(thresholds.predict(new Date(MONDAY + 42 * 24 * HOUR))).toMatchObject({ lower: 0, upper: 0 })
    expect(thresholds.predict(new Date(MONDAY + 45 * 24 * HOUR))!.lower).toBeGreaterThan(10_000)
  })

  test('a new level is accepted after some days, and the old level is then outside', () => {
    const { lower, upper } = limitsAfter(daily([...rowCounts(30), ...rowCounts(10, 3000)]))
    expect(lower).toBeGreaterThan(1100)
    expect(upper).toBeGreaterThan(3020)
  })

  test('a drop that occurred twice on the first of a month raises no alarm the third time', () => {
    const first = Date.UTC(2025, 0, 10)
    const values = daily(
      Array.from({ length: 80 }, (_, k) =>
        Math.round((new Date(first + k * 24 * HOUR).getUTCDate() === 1 ? 300 : 1000) + 10 * deterministicNoise(k)),
      ),
      first,
    )
    const april = Date.UTC(2025, 3, 1)
    const thresholds = rebuild(
      { metric_type: 'row_count', frequency_hours: 24 },
      values.filter(({ at }) => at.getTime() < april),
    )
    expect(thresholds.predict(new Date(april))!.lower).toBeLessThanOrEqual(300)
    expect(thresholds.predict(new Date(april + 9 * 24 * HOUR))!.lower).toBeGreaterThan(500)
  })

  test('limits are wider on Christmas', () => {
    const from = Date.UTC(2025, 10, 3)
    const values = daily(rowCounts(52), from).filter(({ at }) => at.getTime() < Date.UTC(2025, 11, 25))
    const thresholds = rebuild({ metric_type: 'row_count', frequency_hours: 24 }, values)
    expect(thresholds.predict(new Date(Date.UTC(2025, 11, 25)))!.lower).toBeLessThan(400)
    expect(thresholds.predict(new Date(Date.UTC(2025, 11, 29)))!.lower).toBeGreaterThan(700)
  })

  test.each([
    ['percentages stay within 0 and 100', 'null_percentage', [0, 0.1, 0, 0.2, 0, 0, 0.1, 0, 0, 0]],
    ['percentages near 100 stay within 0 and 100', 'unique_percentage', [100, 99.9, 100, 100, 99.8, 100, 100, 100, 99.9, 100]],
    ['very noisy percentages stay within 0 and 100', 'null_percentage', [2, 90, 15, 60, 99, 1, 45, 70, 3, 88]],
  ])('%s', (_, metric_type, values) => {
    const { lower, upper } = limitsAfter(daily(values), { metric_type })
    expect(lower).toBeGreaterThanOrEqual(0)
    expect(upper).toBeLessThanOrEqual(100)
    expect(upper).toBeGreaterThanOrEqual(lower)
  })

  test('counts have no negative limits, other values may', () => {
    const wild = [3, 40, 5, 80, 1, 60, 2, 33, 90, 4]
    expect(limitsAfter(daily(wild), { metric_type: 'cardinality' }).lower).toBeGreaterThanOrEqual(0)
    expect(limitsAfter(daily(wild.map((x) => x - 50)), { metric_type: 'mean' }).lower).toBeLessThan(-50)
  })

  test('freshness has no lower limit', () => {
    expect(limitsAfter(daily([3, 3.5, 2.9, 3.2, 3.1, 3.4, 3]), { metric_type: 'freshness' }).lower).toBe(0)
  })

  test('a table updated on weekdays is not stale on Sunday but on Wednesday', () => {
    const ages: Measurement[] = []
    let updated = MONDAY - 24 * HOUR
    for (let t = MONDAY; t < MONDAY + 28 * 24 * HOUR; t += HOUR) {
      const date = new Date(t)
      if (date.getUTCHours() === 5 && ![0, 6].includes(date.getUTCDay())) updated = t
      ages.push({ at: date, value: (t - updated) / HOUR })
    }
    const meta = { metric_type: 'freshness', frequency_hours: 1 }
    const until = (t: number) =>
      rebuild(
        meta,
        ages.filter(({ at }) => at.getTime() < t),
      ).predict(new Date(t))!.upper
    const sunday = MONDAY + (20 * 24 + 12) * HOUR
    const wednesday = MONDAY + (23 * 24 + 12) * HOUR
    expect(until(sunday)).toBeGreaterThan(55)
    expect(until(wednesday)).toBeLessThan(40)
  })
})

describe('feedback', () => {
  const spike = rowCounts(40).map((value, k) => (k === 35 ? 1600 : value))

  test('a measurement marked as normal widens the limits to include it', () => {
    const marked = daily(spike).map((m, k) => (k === 35 ? { ...m, marked: 'normal' as const } : m))
    expect(limitsAfter(daily(spike)).upper).toBeLessThan(1600)
    expect(limitsAfter(marked).upper).toBeGreaterThanOrEqual(1600)
    expect(limitsAfter(marked, { sensitivity: 10 }).upper).toBeGreaterThanOrEqual(1600)
  })

  test('a confirmed incident is not learned', () => {
    const confirmed = daily(spike).map((m, k) => (k === 35 ? { ...m, marked: 'incident' as const } : m))
    expect(limitsAfter(confirmed)).toEqual(limitsAfter(daily(spike).filter((_, k) => k !== 35)))
  })
})

describe('row counts of percentages', () => {
  const thresholds = rebuild(
    { metric_type: 'null_percentage', frequency_hours: 24 },
    daily(Array.from({ length: 40 }, (_, k) => 5 + 0.2 * deterministicNoise(k))),
  )
  const upper = (row_count?: number) => thresholds.predict(new Date(MONDAY + 40 * 24 * HOUR), { row_count })!.upper

  test('few rows widen the limits, many rows do not', () => {
    expect(upper(10)).toBeGreaterThan(20)
    expect(upper(10)).toBeGreaterThan(upper(100))
    expect(upper(10_000_000)).toBe(upper())
  })

  test('without rows any percentage is inside', () => expect(upper(0)).toBe(100))
})

describe('explanation', () => {
  test('names the weekday if weekdays differ', () => {
    const values = daily(
      Array.from({ length: 42 }, (_, k) => Math.round(([5, 6].includes(k % 7) ? 2000 : 10_000) + 50 * deterministicNoise(k))),
    )
    expect(limitsAfter(values).explanation).toMatch(/^usually \d{1,2},\d{3}–\d{2},\d{3} on Mondays$/)
  })

  test('names weekday and hour if hours differ', () => {
    const at = (k: number) => new Date(MONDAY + k * HOUR)
    const usual = (k: number) => ([0, 6].includes(at(k).getUTCDay()) ? 100 : 1000) * (at(k).getUTCHours() < 6 ? 0.3 : 1)
    const values = hourly(Array.from({ length: 24 * 28 }, (_, k) => Math.round(usual(k) * (1 + 0.03 * deterministicNoise(k)))))
    expect(limitsAfter(values, { frequency_hours: 1 }).explanation).toMatch(/^usually \d+–\d+ on Mondays around 03:00$/)
  })

  test('contains the limits', () => {
    const { lower, upper, explanation } = limitsAfter(daily(rowCounts(20)))
    const format = (x: number) => x.toLocaleString('en-US')
    expect(explanation).toContain(`${format(lower)}–${format(upper)}`)
  })

  test('uses hours for freshness and percent for percentages', () => {
    expect(limitsAfter(daily([3, 3.5, 2.9, 3.2, 3.1, 3.4, 3]), { metric_type: 'freshness' }).explanation).toMatch(
      /^usually updated within [\d.]+ hours/,
    )
    expect(limitsAfter(daily([3, 3.5, 2.9, 3.2, 3.1, 3.4, 3]), { metric_type: 'null_percentage' }).explanation).toMatch(
      /^usually [\d.]+–[\d.]+ %/,
    )
  })
})

describe('state', () => {
  const story = Array.from({ length: 200 }, (_, k) => ({
    at: new Date(MONDAY + (k + (k > 120 ? 3 : 0)) * 24 * HOUR),
    value: k === 60 ? 0 : Math.round((1000 + 3 * k) * ([5, 6].includes(k % 7) ? 0.4 : 1) * (1 + 0.05 * deterministicNoise(k))),
  }))
  const meta = { metric_type: 'row_count', frequency_hours: 24, sensitivity: 6 }

  test('rebuilding from measurements gives the same limits at every run', () => {
    const online = createThresholds(meta)
    for (const [k, { at, value }] of story.entries()) {
      if (k % 13 === 0) expect(rebuild(meta, story.slice(0, k)).predict(at)).toEqual(online.predict(at))
      online.observe(at, value)
    }
  })

  test('predicting does not change the state', () => {
    const queried = createThresholds(meta)
    for (const { at, value } of story) {
      queried.predict(at)
      queried.predict(new Date(at.getTime() + 5 * HOUR))
      queried.observe(at, value)
    }
    expect(queried.predict(nextRunAfter(story))).toEqual(rebuild(meta, story).predict(nextRunAfter(story)))
  })

  test('measurements may be in any order, and of two at the same time the first counts', () => {
    const twice = [...story, { at: story[50]!.at, value: 1e9 }]
    expect(rebuild(meta, twice).predict(nextRunAfter(story))).toEqual(rebuild(meta, story).predict(nextRunAfter(story)))
    expect(rebuild(meta, story.toReversed()).predict(nextRunAfter(story))).toEqual(rebuild(meta, story).predict(nextRunAfter(story)))
  })

  test('NaN and infinite values are ignored', () => {
    const broken = story.flatMap((m, k) =>
      k % 20 === 3
        ? [m, { at: new Date(m.at.getTime() + HOUR), value: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY][k % 3]! }]
        : [m],
    )
    expect(rebuild(meta, broken).predict(nextRunAfter(story))).toEqual(rebuild(meta, story).predict(nextRunAfter(story)))
  })

  test('a daylight saving change has no effect', () => {
    const before = Date.UTC(2025, 2, 3, 1)
    const values = Array.from({ length: 24 * 28 }, (_, k) => ({
      at: new Date(before + k * HOUR),
      value: Math.round((new Date(before + k * HOUR).getUTCHours() === 1 ? 5000 : 1000) * (1 + 0.02 * deterministicNoise(k))),
    }))
    const thresholds = rebuild({ metric_type: 'row_count', frequency_hours: 1 }, values)
    const changed = thresholds.predict(new Date(Date.UTC(2025, 2, 31, 1)))!
    expect(changed.lower).toBeGreaterThan(2000)
    expect(changed.upper).toBeGreaterThan(5000)
  })

  test('a gap of several weeks has no effect', () => {
    const values = daily(rowCounts(60)).filter((_, k) => k < 20 || k > 45)
    expect(getSpan(limitsAfter(values))).toBeLessThan(600)
  })
})

describe('hostile input', () => {
  const number = fc.oneof(
    fc.double(),
    fc.constantFrom(0, -0, 1e308, -1e308, 5e-324, Number.MAX_SAFE_INTEGER, Number.NaN, Number.POSITIVE_INFINITY),
    fc.integer({ min: 0, max: 50 }),
  )

  test('never throws, and limits are ordered, finite and within the metric', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(number, fc.integer({ min: -2, max: 80 })), { maxLength: 80 }),
        fc.constantFrom('row_count', 'null_percentage', 'freshness', 'mean', 'custom_sql', 'max', 'nonsense'),
        fc.constantFrom(1, 6, 24, 168),
        (steps, metric_type, frequency_hours) => {
          const thresholds = createThresholds({ metric_type, frequency_hours })
          let t = MONDAY
          for (const [k, [value, hours]] of steps.entries()) {
            t += hours * HOUR
            const limits = thresholds.predict(new Date(t), { sensitivity: [5, 1, 10][k % 3]! })
            if (limits) {
              expect(Number.isFinite(limits.lower) && Number.isFinite(limits.upper)).toBe(true)
              expect(limits.lower).toBeLessThanOrEqual(limits.upper)
              if (metric_type === 'null_percentage') expect(limits.upper).toBeLessThanOrEqual(100)
              if (metric_type !== 'mean' && metric_type !== 'custom_sql' && metric_type !== 'max' && metric_type !== 'nonsense')
                expect(limits.lower).toBeGreaterThanOrEqual(0)
              expect(limits.explanation).not.toMatch(/NaN|Infinity|undefined/)
            }
            thresholds.observe(new Date(t), value)
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  test('an invalid date is ignored', () => {
    const thresholds = rebuild({ metric_type: 'row_count', frequency_hours: 24 }, daily(rowCounts(20)))
    thresholds.observe(new Date(Number.NaN), 5)
    expect(thresholds.predict(new Date(Number.NaN))).toBeUndefined()
    expect(thresholds.predict(new Date(MONDAY + 20 * 24 * HOUR))).toBeDefined()
  })
})

// Operations are counted, not timed, so that a busy machine does not fail the test. 550 took 0.05 ms for a trained monitor, 0.1 ms for a new one.
test.each([
  [24, 400],
  [1, 1200],
])('a run every %i h needs a bounded number of operations, including refits', (frequency_hours, runs) => {
  const spies = (['sqrt', 'log', 'exp', 'abs'] as const).map((name) => vi.spyOn(Math, name))
  const thresholds = createThresholds({ metric_type: 'row_count', frequency_hours })
  for (let k = 0; k < runs; k++) {
    const at = new Date(MONDAY + k * frequency_hours * HOUR)
    thresholds.predict(at)
    thresholds.observe(at, Math.round(1000 + 200 * Math.sin(k) + 50 * deterministicNoise(k)))
  }
  const calls = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  expect(calls / runs).toBeLessThan(700)
})

test('an extra run shortly after a scheduled one raises no alarm for a growing total and is not learned', () => {
  const meta = { metric_type: 'row_count', frequency_hours: 24 }
  const values = daily(Array.from({ length: 40 }, (_, k) => 10_000 + 130 * k + Math.round(5 * deterministicNoise(k))))
  const [thresholds, undisturbed] = [rebuild(meta, values), rebuild(meta, values)]
  const { at, value } = values.at(-1)!
  for (let look = 1; look <= 5; look += 1) {
    const soon = new Date(at.getTime() + look * 60_000)
    const limits = thresholds.predict(soon)!
    expect([limits.lower < value, limits.upper > value + 130, limits.upper < value + 300]).toEqual([true, true, true])
    thresholds.observe(soon, value)
  }
  const next = nextRunAfter(values)
  expect(thresholds.predict(next)).toEqual(undisturbed.predict(next))
  expect(thresholds.predict(next)!.lower).toBeGreaterThan(value)
})

test('a small increase of a percentage that was always 0 is outside', () => {
  const limits = limitsAfter(daily(Array.from({ length: 30 }, () => 0)), { metric_type: 'null_percentage' })
  expect(limits).toMatchObject({ lower: 0, explanation: expect.stringMatching(/^usually 0–0\.\d+ %$/) })
  expect(limits.upper).toBeLessThan(0.5)
})

test('a total that grows by single rows may grow by a few at once but not by many', () => {
  const values = hourly(Array.from({ length: 61 }, (_, k) => 6600 + Math.floor(k / 8)))
  const last = values.at(-1)!.value
  const { upper } = limitsAfter(values, { metric_type: 'cardinality', frequency_hours: 1 })
  expect([upper >= last + 3, upper < last + 10]).toEqual([true, true])
})
