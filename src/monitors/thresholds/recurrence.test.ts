import { expect, test } from 'vitest'
import { momentOf, rhythmOf } from './calendar.ts'
import { openForRhymes, rhyming } from './recurrence.ts'

const rhythm = rhythmOf(24)
const on = (iso: string) => momentOf(new Date(`${iso}T03:00:00Z`), rhythm)
const oddity = (iso: string, x = 300) => ({ moment: on(iso), x, centre: 100 })

test.each([
  ['two weeks later', '2025-01-08', '2025-01-22', true],
  ['a week later', '2025-01-08', '2025-01-15', false],
  ['the same date', '2025-01-15', '2025-02-15', true],
  ['the last day of a shorter month', '2025-01-31', '2025-02-28', true],
  ['the first working day', '2025-02-03', '2025-04-01', true],
  ['another day of the month', '2025-01-15', '2025-02-20', false],
])('%s', (_, then, now, expected) => expect(rhyming([oddity(then)], on(now), rhythm).length === 1).toBe(expected))

test('one earlier rise widens the upper limit', () => {
  const limits = { lower: 80, centre: 100, upper: 120 }
  const core = { lower: 100, upper: 100 }
  expect(openForRhymes(limits, core, [oddity('2025-01-15')], on('2025-02-15'), true, true)).toBe(true)
  expect(limits).toMatchObject({ lower: 80 })
  expect(limits.upper).toBeGreaterThan(300)
  expect(core).toEqual({ lower: 100, upper: 300 })
})

test('two earlier drops widen the lower limit, at the start or end of a month one is enough', () => {
  const opened = (now: string, times: number) => {
    const limits = { lower: 80, centre: 100, upper: 120 }
    openForRhymes(limits, { lower: 100, upper: 100 }, Array(times).fill(oddity('2025-01-15', 20)), on(now), true, true)
    return limits.lower < 80
  }
  expect([opened('2025-02-15', 1), opened('2025-02-15', 2), opened('2025-05-01', 1)]).toEqual([false, true, true])
})
