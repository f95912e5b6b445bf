import type { Moment, Rhythm } from './calendar.ts'
import type { ForecasterSettings } from './run-forecast.ts'

// Some tables are filled in batches: 0, 0, 40,000, 0. Then whether there is a batch and how large it is are predicted separately.
// This file predicts the first; the filters predict the second and never see the zeros.

const MIN_ZERO_SHARE = 0.1
const MIN_BATCH_SIZE = 5
/** Values below this share of a typical batch do not count as a batch. */
export const MIN_BATCH_SHARE = 0.05
const MAX_SPARSE_SHARE = 0.4

type PastRun = { readonly moment: Moment; readonly x: number }

/** `dense`: zero is a value like any other. `batches`: zero means no batch, and batches are similar. `sparse`: occasional values of any size. */
type SeriesKind = 'dense' | 'batches' | 'sparse'

export const classifySeries = ({ metric, rhythm }: ForecasterSettings, history: readonly PastRun[]): SeriesKind => {
  if (metric.kind === 'percentage' || metric.kind === 'freshness') return 'dense'
  const nonzero = history
    .map(({ x }) => x)
    .filter((x) => x !== 0)
    .sort((a, b) => a - b)
  if (!nonzero.length || nonzero.length > (1 - MIN_ZERO_SHARE) * history.length || nonzero[0]! < 0) return 'dense'
  const typical = nonzero[Math.floor(0.6 * nonzero.length)]!
  const small = nonzero.filter((x) => x < Math.max(MIN_BATCH_SIZE, MIN_BATCH_SHARE * typical)).length
  const alike = typical >= MIN_BATCH_SIZE && small <= 1 + 0.2 * nonzero.length && small < nonzero.length
  const rare = nonzero.length < MAX_SPARSE_SHARE * history.length
  if (alike && (!rare || comesRegularly(rhythm, history, MIN_BATCH_SHARE * typical))) return 'batches'
  return rare ? 'sparse' : 'dense'
}

const comesRegularly = (rhythm: Rhythm, history: readonly PastRun[], least: number): boolean => {
  const presence = createBatchPresence(rhythm)
  for (const { moment, x } of history) recordBatchPresence(presence, moment, x >= least)
  return presence.some((pattern) => regularity(pattern) >= REGULAR)
}

/** Only zeros for less than a week: a weekly batch may still come. */
export const awaitsFirstBatch = ({ metric_type, rhythm }: ForecasterSettings, history: readonly PastRun[], moment: Moment): boolean =>
  metric_type === 'row_count' && rhythm.daily && moment.day - history[0]!.moment.day < 7 && history.every(({ x }) => x === 0)

type Pattern = {
  readonly phase: (moment: Moment) => number
  /** The last three runs of each phase: one bit each, and how many there were. */
  readonly bits: Uint8Array
  readonly seen: Uint8Array
  both_on: number
  any_on: number
  both_off: number
  any_off: number
}

type Presence = readonly Pattern[]
type Expectation = 'on' | 'off' | 'either'

const REGULAR = 0.65
const DECAY = 0.99

const createPattern = (size: number, phase: Pattern['phase']): Pattern => ({
  phase,
  bits: new Uint8Array(size),
  seen: new Uint8Array(size),
  both_on: 0,
  any_on: 0,
  both_off: 0,
  any_off: 0,
})

export const createBatchPresence = ({ daily, slots }: Rhythm): Presence =>
  daily
    ? [createPattern(7, (m) => m.weekday)]
    : [
        createPattern(slots, (m) => m.slot),
        createPattern(2 * slots, (m) => m.weekend * slots + m.slot),
        createPattern(7 * slots, (m) => m.weekday * slots + m.slot),
      ]

const usuallyOn = (pattern: Pattern, phase: number): boolean => {
  const bits = pattern.bits[phase]!
  const ones = (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1)
  return ones >= Math.min(2, pattern.seen[phase]!)
}

/** How well the pattern predicts presence: Jaccard index of "on" and of "off", the lower of the two. */
const regularity = (pattern: Pattern): number =>
  pattern.both_on < 1.5 ? 0 : Math.min(pattern.both_on / pattern.any_on, pattern.both_off / Math.max(1, pattern.any_off))

export const predictBatchPresence = (presence: Presence, moment: Moment): Expectation => {
  const pattern = presence.reduce((a, b) => (regularity(b) > regularity(a) ? b : a))
  const phase = pattern.phase(moment)
  if (regularity(pattern) < REGULAR || !pattern.seen[phase]) return 'either'
  return usuallyOn(pattern, phase) ? 'on' : 'off'
}

export const recordBatchPresence = (presence: Presence, moment: Moment, on: boolean): void => {
  for (const pattern of presence) {
    const phase = pattern.phase(moment)
    if (pattern.seen[phase]) {
      const expected = usuallyOn(pattern, phase)
      pattern.both_on = DECAY * pattern.both_on + (on && expected ? 1 : 0)
      pattern.any_on = DECAY * pattern.any_on + (on || expected ? 1 : 0)
      pattern.both_off = DECAY * pattern.both_off + (on || expected ? 0 : 1)
      pattern.any_off = DECAY * pattern.any_off + (on && expected ? 0 : 1)
    }
    pattern.bits[phase] = ((pattern.bits[phase]! << 1) | (on ? 1 : 0)) & 7
    pattern.seen[phase] = Math.min(3, pattern.seen[phase]! + 1)
  }
}
