import { expect, test } from 'vitest'
import { momentOf, rhythmOf } from './calendar.ts'
import { createUpdates, gapLimit, patienceFor, recordFreshness, updatesAreRare } from './updates.ts'

const MONDAY = Date.UTC(2025, 0, 6) / 3_600_000
const at = (hours: number, frequency: number) => momentOf(new Date((MONDAY + hours) * 3_600_000), rhythmOf(frequency))

/** A table updated and measured at these intervals in hours. */
const watched = (every: number, frequency: number, hours: number) => {
  const updates = createUpdates()
  for (let h = 0; h < hours; h += frequency) recordFreshness(updates, at(h, frequency), h % every, rhythmOf(frequency))
  return updates
}

test('the limit is slightly above the typical gap', () => {
  const { usual, longest } = gapLimit(watched(6, 1, 240), rhythmOf(1), 1e-4, 1)
  expect(usual).toBe(6)
  expect(longest).toBeGreaterThan(6)
  expect(longest).toBeLessThan(12)
})

test('two gaps are too few for a limit', () => expect(gapLimit(watched(24, 1, 60), rhythmOf(1), 1e-4, 1).longest).toBeNaN())

test('a late gap is not learned', () => {
  const { longest } = gapLimit(watched(24, 1, 24 * 20), rhythmOf(1), 1e-4, 1)
  const late = watched(24, 1, 24 * 20)
  recordFreshness(late, at(24 * 22, 1), 0, rhythmOf(1), longest)
  recordFreshness(late, at(24 * 23, 1), 0, rhythmOf(1), longest)
  expect(gapLimit(late, rhythmOf(1), 1e-4, 1).longest).toBeLessThan(1.2 * longest)
})

test('a weekly table measured daily is updated rarely, a daily one is not', () => {
  expect(updatesAreRare(watched(168, 24, 24 * 40), rhythmOf(24))).toBe(true)
  expect(updatesAreRare(watched(24, 24, 24 * 40), rhythmOf(24))).toBe(false)
})

test('without history the limit allows for a weekend', () => {
  expect(patienceFor(MONDAY + 4 * 24)).toBeGreaterThan(72)
  expect(patienceFor(MONDAY)).toBeLessThan(30)
})
