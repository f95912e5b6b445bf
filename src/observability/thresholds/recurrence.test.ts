import { expect, test } from 'vitest'
import { getRhythm, toMoment } from './calendar.ts'
import { findRecurring, widenForRecurring } from './recurrence.ts'

const rhythm = getRhythm(24)
const momentOn = (iso: string) => toMoment(new Date(`${iso}T03:00:00Z`), rhythm)
const createAnomaly = (iso: string, x = 300) => ({ moment: momentOn(iso), x, centre: 100 })

test.each([
  ['two weeks later', '2025-01-08', '2025-01-22', true],
  ['a week later', '2025-01-08', '2025-01-15', false],
  ['the same date', '2025-01-15', '2025-02-15', true],
  ['the last day of a shorter month', '2025-01-31', '2025-02-28', true],
  ['the first working day', '2025-02-03', '2025-04-01', true],
  ['another day of the month', '2025-01-15', '2025-02-20', false],
])('%s', (_, then, now, expected) => expect(findRecurring([createAnomaly(then)], momentOn(now), rhythm).length === 1).toBe(expected))

test('one earlier rise widens the upper limit', () => {
  const limits = { lower: 80, centre: 100, upper: 120 }
  const core = { lower: 100, upper: 100 }
  expect(widenForRecurring(limits, core, [createAnomaly('2025-01-15')], momentOn('2025-02-15'), true, true)).toBe(true)
  expect(limits).toMatchObject({ lower: 80 })
  expect(limits.upper).toBeGreaterThan(300)
  expect(core).toEqual({ lower: 100, upper: 300 })
})

test('two earlier drops widen the lower limit, at the start or end of a month one is enough', () => {
  const opened = (now: string, times: number) => {
    const limits = { lower: 80, centre: 100, upper: 120 }
    widenForRecurring(limits, { lower: 100, upper: 100 }, Array(times).fill(createAnomaly('2025-01-15', 20)), momentOn(now), true, true)
    return limits.lower < 80
  }
  expect([opened('2025-02-15', 1), opened('2025-02-15', 2), opened('2025-05-01', 1)]).toEqual([false, true, true])
})
