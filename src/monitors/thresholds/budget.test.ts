import { expect, test } from 'vitest'
import { chancePerRun } from './budget.ts'
import { rhythmOf } from './calendar.ts'

test('an hourly monitor has the same monthly budget in more runs', () => {
  expect(chancePerRun(rhythmOf(24)) / chancePerRun(rhythmOf(1))).toBeCloseTo(24, 9)
})
