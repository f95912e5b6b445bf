import { expect, test } from 'vitest'
import { type Point, seriesOf } from '../web/monitors/series.ts'

/** The data of a monitor's chart. */
const point = (day: number, value: number, lower: number | null, upper: number | null, more: Partial<Point> = {}): Point => ({
  created_at: new Date(Date.UTC(2026, 0, day)).toISOString(),
  value,
  lower_threshold: lower,
  upper_threshold: upper,
  outside: false,
  ...more,
})
const second = (day: number) => Date.UTC(2026, 0, day) / 1000

test('points are in order of time, and the value is drawn on top of the band', () => {
  const { data } = seriesOf([point(2, 20, 10, 30), point(1, 15, 5, 25)])
  expect(data).toEqual([
    [second(1), second(2)],
    [5, 10],
    [25, 30],
    [15, 20],
  ])
})

test('without limits nothing is outside, and the learning area ends at the first limits', () => {
  const { data, outside, learning } = seriesOf([point(1, 900, null, null), point(2, 1, null, null), point(3, 5, 0, 10), point(4, 5, 0, 10)])
  expect(data[1].slice(0, 2)).toEqual([null, null])
  expect(data[2].slice(0, 2)).toEqual([null, null])
  expect(outside).toEqual([])
  expect(learning).toEqual([[second(1), second(3)]])
})

test('measurements outside are red unless they are marked as normal', () => {
  const { outside } = seriesOf([
    point(1, 50, 0, 10, { outside: true }),
    point(2, 50, 0, 10, { outside: true, normal: true }),
    point(3, 5, 0, 10),
  ])
  expect(outside).toEqual([0])
})

test('with a limit on one side the band extends to the edge on the other', () => {
  const { data, range, learning } = seriesOf([point(1, 5, null, 10), point(2, 6, null, 10)])
  expect(learning).toEqual([])
  expect(data[1].every((lower) => lower !== null && lower < range[0])).toBe(true)
  expect(range[0]).toBeLessThan(5)
  expect(range[1]).toBeGreaterThan(10)
})

test.each([
  ['no values', []],
  ['one value', [point(1, 7, null, null)]],
  ['only zeros', [point(1, 0, 0, 0), point(2, 0, 0, 0)]],
])('%s: the value range is not empty', (_, points) => {
  const { range } = seriesOf(points)
  expect(range[1]).toBeGreaterThan(range[0])
})
