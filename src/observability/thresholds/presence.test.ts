import { expect, test } from 'vitest'
import { getRhythm, toMoment } from './calendar.ts'
import { getMetricBounds } from './metric.ts'
import { classifySeries, createPresence, expectPresence, recordPresence } from './presence.ts'

const rhythm = getRhythm(24)
const dayAt = (k: number) => toMoment(new Date(Date.UTC(2025, 0, 6) + k * 86_400_000), rhythm)
const classify = (metric_type: string, values: readonly number[]) =>
  classifySeries(
    { metric: getMetricBounds(metric_type), metric_type, rhythm },
    values.map((x, k) => ({ moment: dayAt(k), x })),
  )
const days = (n: number, value: (k: number) => number) => Array.from({ length: n }, (_, k) => value(k))

test.each([
  ['ordinary counts', 'row_count', days(30, (k) => 100 + k), 'dense'],
  ['a batch each Thursday', 'row_count', days(30, (k) => (k % 7 === 3 ? 5000 + k : 0)), 'batches'],
  ['weekends off', 'row_count', days(30, (k) => (k % 7 > 4 ? 0 : 800 + k)), 'batches'],
  ['occasional errors', 'custom_sql', days(60, (k) => (k % 11 === 5 ? (k % 4) + 1 : 0)), 'sparse'],
  ['any percentage', 'null_percentage', days(30, (k) => (k % 7 === 3 ? 50 : 0)), 'dense'],
  ['only zeros', 'row_count', days(30, () => 0), 'dense'],
] as const)('%s', (_, metric_type, values, expected) => expect(classify(metric_type, values)).toBe(expected))

test('a regular batch is expected on its weekday only, an irregular one on any day', () => {
  const regular = createPresence(rhythm)
  const irregular = createPresence(rhythm)
  for (let k = 0; k < 35; k++) {
    recordPresence(regular, dayAt(k), k % 7 === 3)
    recordPresence(irregular, dayAt(k), k % 5 === 0)
  }
  expect([expectPresence(regular, dayAt(38)), expectPresence(regular, dayAt(39))]).toEqual(['on', 'off'])
  expect([expectPresence(irregular, dayAt(35)), expectPresence(irregular, dayAt(36))]).toEqual(['either', 'either'])
})

test('one missing batch does not change the expectation', () => {
  const presence = createPresence(rhythm)
  for (let k = 0; k < 42; k++) recordPresence(presence, dayAt(k), k % 7 === 3 && k !== 38)
  expect(expectPresence(presence, dayAt(45))).toBe('on')
})
