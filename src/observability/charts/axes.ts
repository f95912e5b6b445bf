/** Grid lines of a chart with their labels. Pure. */
export interface Tick {
  readonly at: number
  readonly label: string
}

const STEPS = [1, 2, 2.5, 5, 10]

/** About this many round numbers in a range. */
export const valueTicks = (from: number, to: number, about: number, unit: string): Tick[] => {
  const rough = (to - from) / about
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = size * STEPS.find((each) => each * size >= rough)!
  const ticks: Tick[] = []
  for (let i = Math.ceil(from / step); i * step <= to + step * 1e-9; i += 1)
    ticks.push({ at: i * step, label: formatShort(i * step, step) + unit })
  return ticks
}

const SIZES: readonly [number, string][] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
]

/** The shortest label that differs from its neighbours. */
const formatShort = (value: number, step: number): string => {
  if (value === 0) return '0'
  const magnitude = Math.max(Math.abs(value), step)
  if (magnitude >= 1e15 || step < 1e-4) return value.toExponential(1).replace('e', ' e').replace('+', '')
  const [size, sign] = (magnitude >= 10_000 && SIZES.find(([size]) => magnitude >= size)) || [1, '']
  const decimals = [0, 1, 2, 3, 4, 5].find((each) => isNearInteger((step / size) * 10 ** each)) ?? 6
  const text = trimmed((value / size).toFixed(decimals))
  return sign === '' ? grouped(text) : text + sign
}

const isNearInteger = (n: number): boolean => Math.abs(n - Math.round(n)) < 1e-6
const trimmed = (text: string): string => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text)
const grouped = (text: string): string => text.replace(/^(-?\d+)/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','))

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const HOUR = 3_600_000
const DAY = 24 * HOUR
const SPANS = [
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  4 * DAY,
  7 * DAY,
  14 * DAY,
  28 * DAY,
  56 * DAY,
  91 * DAY,
  182 * DAY,
  364 * DAY,
]

/** At most this many full hours or days (UTC) in a time range. */
export const timeTicks = (from: number, to: number, maxTicks: number): Tick[] => {
  const span = SPANS.find((each) => (to - from) / each <= maxTicks) ?? (to - from) / maxTicks
  const ticks: Tick[] = []
  for (let at = Math.ceil(from / span) * span; at <= to; at += span) ticks.push({ at, label: formatTick(new Date(at), span < DAY) })
  return ticks
}

const formatTick = (at: Date, hours: boolean): string => {
  const two = (n: number) => String(n).padStart(2, '0')
  return hours && at.getUTCHours() !== 0
    ? `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`
    : `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`
}
