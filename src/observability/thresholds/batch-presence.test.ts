import { expect, test } from 'vitest'
import { classifySeries, createBatchPresence, predictBatchPresence, recordBatchPresence } from './batch-presence.ts'
import { getRhythm, toMoment } from './calendar.ts'
import { getMetricBounds } from './metric-bounds.ts'

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
  const regular = createBatchPresence(rhythm)
  const irregular = createBatchPresence(rhythm)
  for (let k = 0; k < 35; k++) {
    recordBatchPresence(regular, dayAt(k), k % 7 === 3)
    recordBatchPresence(irregular, dayAt(k), k % 5 === 0)
  }
  expect([predictBatchPresence(regular, dayAt(38)), predictBatchPresence(regular, dayAt(39))]).toEqual(['on', 'off'])
  expect([predictBatchPresence(irregular, dayAt(35)), predictBatchPresence(irregular, dayAt(36))]).toEqual(['either', 'either'])
})

test('one missing batch does not change the expectation', () => {
  const presence = createBatchPresence(rhythm)
  for (let k = 0; k < 42; k++) recordBatchPresence(presence, dayAt(k), k % 7 === 3 && k !== 38)
  expect(predictBatchPresence(presence, dayAt(45))).toBe('on')
})
