import { expect, test } from 'vitest'
import { chancePerRun } from './budget.ts'
import { getRhythm } from './calendar.ts'

test('an hourly monitor has the same monthly budget in more runs', () => {
  expect(chancePerRun(getRhythm(24)) / chancePerRun(getRhythm(1))).toBeCloseTo(24, 9)
})
