import { expect, test } from 'vitest'
import { clockDistance, getMonthPosition, getRhythm, isHoliday, toMoment } from './calendar.ts'

const dayOf = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 86_400_000

test('weekday and run of the day are in UTC', () => {
  const friday = new Date('2025-02-28T13:59:00Z')
  expect(toMoment(friday, getRhythm(6))).toMatchObject({ weekday: 5, weekend: 0, slot: 2 })
  expect(toMoment(friday, getRhythm(1))).toMatchObject({ slot: 13 })
  expect(toMoment(friday, getRhythm(24))).toMatchObject({ slot: 0 })
  expect(toMoment(new Date('1969-12-28T01:00:00Z'), getRhythm(24))).toMatchObject({ weekday: 0, weekend: 1 })
})

test('distance between times of day wraps at midnight', () => {
  expect(clockDistance(23, 1)).toBe(2)
  expect(clockDistance(24 * 5 + 1, 23)).toBe(2)
  expect(clockDistance(167, 1, 168)).toBe(2)
})

test.each([
  ['2024-02-29', { date: 29, from_end: 0, workday: 21 }],
  ['2025-03-01', { date: 1, from_end: 30, workday: 0 }], // a Saturday
  ['2025-03-03', { date: 3, from_end: 28, workday: 1 }],
  ['2025-12-31', { date: 31, from_end: 0, workday: 23 }],
])('position of %s in its month', (iso, place) => expect(getMonthPosition(dayOf(iso))).toEqual(place))

test.each(['2025-12-25', '2026-01-01', '2025-04-18', '2025-04-21', '2026-04-03', '2025-11-27', '2025-05-26', '2025-09-01'])(
  '%s is a holiday',
  (iso) => expect(isHoliday(dayOf(iso))).toBe(true),
)

test.each(['2025-12-23', '2025-04-22', '2025-11-20', '2025-05-19'])('%s is not a holiday', (iso) =>
  expect(isHoliday(dayOf(iso))).toBe(false),
)
