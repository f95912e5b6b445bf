import { expect, test } from 'vitest'
import { getRhythm, toMoment } from './calendar.ts'
import { computeGapLimit, createUpdates, getWeekendPatience, recordFreshness, updatesAreRare } from './updates.ts'

const MONDAY = Date.UTC(2025, 0, 6) / 3_600_000
const momentAt = (hours: number, frequency: number) => toMoment(new Date((MONDAY + hours) * 3_600_000), getRhythm(frequency))

/** A table updated and measured at these intervals in hours. */
const observeUpdates = (every: number, frequency: number, hours: number) => {
  const updates = createUpdates()
  for (let h = 0; h < hours; h += frequency) recordFreshness(updates, momentAt(h, frequency), h % every, getRhythm(frequency))
  return updates
}

test('the limit is slightly above the typical gap', () => {
  const { usual, longest } = computeGapLimit(observeUpdates(6, 1, 240), getRhythm(1), 1e-4, 1)
  expect(usual).toBe(6)
  expect(longest).toBeGreaterThan(6)
  expect(longest).toBeLessThan(12)
})

test('two gaps are too few for a limit', () => expect(computeGapLimit(observeUpdates(24, 1, 60), getRhythm(1), 1e-4, 1).longest).toBeNaN())

test('a late gap is not learned', () => {
  const { longest } = computeGapLimit(observeUpdates(24, 1, 24 * 20), getRhythm(1), 1e-4, 1)
  const late = observeUpdates(24, 1, 24 * 20)
  recordFreshness(late, momentAt(24 * 22, 1), 0, getRhythm(1), longest)
  recordFreshness(late, momentAt(24 * 23, 1), 0, getRhythm(1), longest)
  expect(computeGapLimit(late, getRhythm(1), 1e-4, 1).longest).toBeLessThan(1.2 * longest)
})

test('a weekly table measured daily is updated rarely, a daily one is not', () => {
  expect(updatesAreRare(observeUpdates(168, 24, 24 * 40), getRhythm(24))).toBe(true)
  expect(updatesAreRare(observeUpdates(24, 24, 24 * 40), getRhythm(24))).toBe(false)
})

test('without history the limit allows for a weekend', () => {
  expect(getWeekendPatience(MONDAY + 4 * 24)).toBeGreaterThan(72)
  expect(getWeekendPatience(MONDAY)).toBeLessThan(30)
})
