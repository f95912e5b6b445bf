/** Why an answer is not the whole answer. */
export type Shortfall = 'time' | 'size' | 'depth' | 'internal'

/** Thrown inside the engine only, and caught at the statement it stops: what was found until then is kept. */
export class Spent extends Error {
  readonly shortfall: Shortfall

  constructor(shortfall: Shortfall) {
    super(shortfall)
    this.shortfall = shortfall
  }
}

const GLANCE = 20_000 // steps between two looks at the clock: well under a millisecond
const MOST_CARRIED = 1_000_000 // a column that comes from a thousand others and is used a thousand times: no hand writes that
const DEEPEST = 1_000 // queries inside queries; each level takes a few frames of the stack

/** Counts the work, so that a hostile text ends early and a test can prove that work grows with the text and not faster. */
export class Budget {
  steps = 0
  private carried = 0
  private depth = 0
  private glance = GLANCE
  private readonly deadline: number

  constructor(milliseconds: number) {
    this.deadline = performance.now() + milliseconds
  }

  spend(steps: number): void {
    this.steps += steps
    if (this.steps < this.glance) return
    this.glance = this.steps + GLANCE
    if (performance.now() > this.deadline) throw new Spent('time')
  }

  /** Sources that a value brings along. A short text can multiply them, so they count as work, and are kept up to a number. */
  carry(sources: number): void {
    this.carried += sources
    if (this.carried > MOST_CARRIED) throw new Spent('size')
    this.spend(sources)
  }

  /** Runs a reader one level further down. */
  deeper<Result>(read: () => Result): Result {
    if (this.depth >= DEEPEST) throw new Spent('depth')
    this.depth++
    try {
      return read()
    } finally {
      this.depth--
    }
  }
}
