import { expect, test } from 'vitest'
import { computeMedian, normalQuantile, studentQuantile } from './quantile.ts'

// From published tables.
test.each([
  [0.975, 1.959964],
  [0.9995, 3.290527],
  [0.01, -2.326348],
])('normal %d', (p, z) => expect(normalQuantile(p)).toBeCloseTo(z, 5))

test.each([
  [0.975, 5, 2.570582],
  [0.9995, 5, 6.868827],
  [0.9995, 30, 3.645959],
  [0.995, 3, 5.840909],
])('Student %d with %d degrees of freedom', (p, freedom, t) => expect(studentQuantile(p, freedom)).toBeCloseTo(t, 2))

test('median', () => {
  expect(computeMedian([3, 1, 2])).toBe(2)
  expect(computeMedian([4, 1, 3, 2])).toBe(2.5)
  expect(computeMedian([])).toBeNaN()
})
