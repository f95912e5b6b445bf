import { expect, test } from 'vitest'
import { momentOf, rhythmOf } from './calendar.ts'
import { explain } from './explain.ts'
import { metricOf } from './metric.ts'
import type { Outlook } from './outlook.ts'

const monday = momentOf(new Date('2025-01-06T03:20:00Z'), rhythmOf(1))
const outlook = (lower: number, upper: number, more: Partial<Outlook> = {}): Outlook => {
  const band = { lower, centre: (lower + upper) / 2, upper }
  return { usual: band, limits: band, core: band, reasons: [], follows: { weekday: false, hour: false }, integer: true, ...more }
}

test.each([
  ['usually 980–1,120 on Mondays around 03:00', 'row_count', outlook(980, 1120, { follows: { weekday: true, hour: true } })],
  ['usually 980–1,120 around 03:00', 'row_count', outlook(980, 1120, { follows: { weekday: false, hour: true } })],
  ['usually 0', 'row_count', outlook(0, 0)],
  ['usually 0–0.25 %', 'null_percentage', outlook(0, 0.25, { integer: false })],
  ['usually -12.3–2.1', 'mean', outlook(-12.345, 2.1, { integer: false })],
  [
    'usually updated within 26.5 hours on Mondays',
    'freshness',
    outlook(0, 26.5, { integer: false, follows: { weekday: true, hour: false } }),
  ],
  ['usually 300–1,120, wider on a holiday', 'row_count', outlook(300, 1120, { reasons: ['holiday'] })],
])('%s', (sentence, metric_type, given) => expect(explain(given, monday, metricOf(metric_type))).toBe(sentence))
