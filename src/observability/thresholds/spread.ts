/** Statistics of a filter's past errors in units of its predicted sd, used to calibrate it. */
export type Spread = {
  count: number
  mean_abs: number
  mean_square: number
  /** Twice the mean square of one side: equal to `mean_square` if the errors are symmetric. */
  up_square: number
  down_square: number
  /** Like the first two with a longer memory, because extreme errors are rare. */
  tail_abs: number
  tail_square: number
  /** The largest errors that raised no alarm, slowly decaying: in sd and in original units. */
  highest: number
  lowest: number
  highest_error: number
  lowest_error: number
}

export const createSpread = (): Spread => ({
  count: 0,
  mean_abs: 0,
  mean_square: 0,
  up_square: 0,
  down_square: 0,
  tail_abs: 0,
  tail_square: 0,
  highest: 0,
  lowest: 0,
  highest_error: 0,
  lowest_error: 0,
})

const DECAY = 0.995
const CALM_TAIL = 0.637 // (mean |u|)² / mean u² of a normal distribution; heavy tails have less
const TAIL_MEMORY = 300
const TAIL_PRIOR = 100

export const recordError = (spread: Spread, u: number, memory: number): void => {
  const gain = Math.max(1 / memory, 1.5 / (spread.count + 1.5))
  const square = u * u
  spread.count++
  spread.mean_abs += (Math.abs(u) - spread.mean_abs) * gain
  spread.mean_square += (square - spread.mean_square) * gain
  const slow = Math.max(1 / TAIL_MEMORY, 1 / spread.count)
  spread.tail_abs += (Math.abs(u) - spread.tail_abs) * slow
  spread.tail_square += (square - spread.tail_square) * slow
  spread.up_square += ((u > 0 ? 2 * square : 0) - spread.up_square) * gain
  spread.down_square += ((u < 0 ? 2 * square : 0) - spread.down_square) * gain
}

/** Records an error that raised no alarm, so that the next one of its size raises none either. */
export const recordExtreme = (spread: Spread, u: number, error: number, alarming: boolean): void => {
  spread.highest *= DECAY
  spread.lowest *= DECAY
  spread.highest_error *= DECAY
  spread.lowest_error *= DECAY
  if (alarming) return
  spread.highest_error = Math.max(spread.highest_error, error)
  spread.lowest_error = Math.min(spread.lowest_error, error)
  spread.highest = Math.max(spread.highest, Math.min(u, 7))
  spread.lowest = Math.min(spread.lowest, Math.max(u, -7))
}

const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x))

/** Correction factor for the predicted sd, based on past errors. */
export const computeCalibration = (spread: Spread, memory: number): number => {
  const n = Math.min(spread.count, memory)
  return clamp(Math.sqrt((30 + n * spread.mean_square) / (30 + n)), 0.45, 1.6)
}

/** How much wider one side is than the average. */
export const computeSkew = (spread: Spread, side_square: number, memory: number): number => {
  const n = Math.min(spread.count, memory)
  return clamp(Math.sqrt(1 + (n / (n + 40)) * (side_square / (spread.mean_square || 1) - 1)), 0.75, 1.4)
}

/** Degrees of freedom of the Student distribution whose tails look like these errors. */
export const estimateTailFreedom = (spread: Spread): number => {
  const n = Math.min(spread.count, TAIL_MEMORY)
  const seen = spread.tail_square > 0 ? spread.tail_abs ** 2 / spread.tail_square : CALM_TAIL
  const weight = n / (TAIL_PRIOR + n)
  const lack = Math.min(0.16, Math.max(0, (CALM_TAIL - seen) * weight))
  // Fitted to Student distributions of 4 to 60 degrees of freedom.
  return 1 / Math.max(1 / 60, 2.9 * lack - 8.5 * lack * lack)
}
