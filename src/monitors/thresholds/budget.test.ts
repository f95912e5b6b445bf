import { expect, test } from 'vitest'
import { budgetOf } from './budget.ts'
import { rhythmOf } from './calendar.ts'

const daily = rhythmOf(24)

test('each step of sensitivity doubles the budget', () => {
  for (let step = 1; step < 10; step++) expect(budgetOf(step + 1, daily).per_run / budgetOf(step, daily).per_run).toBeCloseTo(2, 9)
})

test('an hourly monitor spends the same month in more runs', () => {
  expect(budgetOf(5, daily).per_run / budgetOf(5, rhythmOf(1)).per_run).toBeCloseTo(24, 9)
})

test('what is no sensitivity is the nearest one, or 5', () => {
  expect(budgetOf(99, daily)).toEqual(budgetOf(10, daily))
  expect(budgetOf(-3, daily)).toEqual(budgetOf(1, daily))
  expect(budgetOf(Number.NaN, daily)).toEqual(budgetOf(5, daily))
})
