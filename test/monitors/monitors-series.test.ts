import { expect, test } from 'vitest'
import { type ChartPoint, toSeries } from '../../web/monitors/series.ts'

/** Data of the monitor chart. */
const point = (day: number, value: number, lower: number | null, upper: number | null, more: Partial<ChartPoint> = {}): ChartPoint => ({
  created_at: new Date(Date.UTC(2026, 0, day)).toISOString(),
  value,
  lower_threshold: lower,
  upper_threshold: upper,
  outside: false,
  ...more,
})
const second = (day: number) => Date.UTC(2026, 0, day) / 1000

test('sorts points by time and puts the value series last, above its band', () => {
  const { data } = toSeries([point(2, 20, 10, 30), point(1, 15, 5, 25)])
  expect(data).toEqual([
    [second(1), second(2)],
    [5, 10],
    [25, 30],
    [15, 20],
  ])
})

test('marks points without limits as learning, up to the first limits', () => {
  const { data, outside, learning } = toSeries([point(1, 900, null, null), point(2, 1, null, null), point(3, 5, 0, 10), point(4, 5, 0, 10)])
  expect(data[1].slice(0, 2)).toEqual([null, null])
  expect(data[2].slice(0, 2)).toEqual([null, null])
  expect(outside).toEqual([])
  expect(learning).toEqual([[second(1), second(3)]])
})

test('marks anomalies red unless they were marked as expected', () => {
  const { outside } = toSeries([
    point(1, 50, 0, 10, { outside: true }),
    point(2, 50, 0, 10, { outside: true, normal: true }),
    point(3, 5, 0, 10),
  ])
  expect(outside).toEqual([0])
})

test('extends the band past the chart on the side without a limit', () => {
  const { data, range, learning } = toSeries([point(1, 5, null, 10), point(2, 6, null, 10)])
  expect(learning).toEqual([])
  expect(data[1].every((lower) => lower !== null && lower < range[0])).toBe(true)
  expect(range[0]).toBeLessThan(5)
  expect(range[1]).toBeGreaterThan(10)
})

test.each([
  ['nothing', []],
  ['one value', [point(1, 7, null, null)]],
  ['only noughts', [point(1, 0, 0, 0), point(2, 0, 0, 0)]],
])('%s has a height too', (_, points) => {
  const { range } = toSeries(points)
  expect(range[1]).toBeGreaterThan(range[0])
})
