import { expect, test } from 'vitest'
import { getRhythm, toMoment } from './calendar.ts'
import { findInitialOutliers } from './initial-outliers.ts'
import { getMetricBounds } from './metric-bounds.ts'

const rhythm = getRhythm(24)
const runs = (values: readonly number[]) =>
  values.map((x, k) => ({ moment: toMoment(new Date(Date.UTC(2025, 0, 6) + k * 86_400_000), rhythm), x }))
const findOutlierValues = (values: readonly number[], metric_type = 'row_count') =>
  [...findInitialOutliers({ metric: getMetricBounds(metric_type), metric_type, rhythm }, runs(values), 14)].map(({ x }) => x)

test.each([
  ['one missing load', [100, 104, 98, 3, 101, 99, 102, 97], [3]],
  ['recurring weekends', [100, 104, 98, 101, 99, 20, 21, 102, 97, 100, 103, 99, 22, 20], []],
  ['growth', [100, 120, 140, 170, 200, 240, 290, 340], []],
  ['too few values', [100, 100, 5000], []],
])('%s', (_, values, expected) => expect(findOutlierValues(values)).toEqual(expected))

test('percentages are compared without a logarithm', () => {
  expect(findOutlierValues([1, 1.2, 0.9, 60, 1.1, 1, 1.3], 'null_percentage')).toEqual([60])
})

test('later values are never initial outliers', () => {
  const values = Array.from({ length: 40 }, (_, k) => (k === 30 ? 1 : 100 + (k % 3)))
  expect(findOutlierValues(values)).toEqual([])
})
