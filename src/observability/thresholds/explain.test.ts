import { expect, test } from 'vitest'
import { getRhythm, toMoment } from './calendar.ts'
import { explain } from './explain.ts'
import { getMetricBounds } from './metric-bounds.ts'
import type { RunForecast } from './run-forecast.ts'

const monday = toMoment(new Date('2025-01-06T03:20:00Z'), getRhythm(1))
const createForecast = (lower: number, upper: number, more: Partial<RunForecast> = {}): RunForecast => {
  const band = { lower, centre: (lower + upper) / 2, upper }
  return { usual: band, limits: band, core: band, reasons: [], follows: { weekday: false, hour: false }, integer: true, ...more }
}

test.each([
  ['usually 980–1,120 on Mondays around 03:00', 'row_count', createForecast(980, 1120, { follows: { weekday: true, hour: true } })],
  ['usually 980–1,120 around 03:00', 'row_count', createForecast(980, 1120, { follows: { weekday: false, hour: true } })],
  ['usually 0', 'row_count', createForecast(0, 0)],
  ['usually 0–0.25 %', 'null_percentage', createForecast(0, 0.25, { integer: false })],
  ['usually -12.3–2.1', 'mean', createForecast(-12.345, 2.1, { integer: false })],
  [
    'usually updated within 26.5 hours on Mondays',
    'freshness',
    createForecast(0, 26.5, { integer: false, follows: { weekday: true, hour: false } }),
  ],
  ['usually 300–1,120, wider on a holiday', 'row_count', createForecast(300, 1120, { reasons: ['holiday'] })],
])('%s', (sentence, metric_type, forecast) => expect(explain(forecast, monday, getMetricBounds(metric_type))).toBe(sentence))
