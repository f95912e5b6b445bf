/** Why a result is incomplete. */
export type Shortfall = 'time' | 'size' | 'depth' | 'internal'

/** Thrown only inside the engine and caught at the statement it stops: what was found until then is kept. */
export class Spent extends Error {
  readonly shortfall: Shortfall

  constructor(shortfall: Shortfall) {
    super(shortfall)
    this.shortfall = shortfall
  }
}

const GLANCE = 20_000 // steps between two checks of the clock: well under a millisecond
const MOST_CARRIED = 1_000_000 // a column with a thousand sources that is used a thousand times: nobody writes that by hand
const DEEPEST = 1_000 // nested queries; each level takes a few stack frames

/** Counts the work, so that a hostile text is stopped early and a test can prove that work grows linearly with the text. */
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

  /** The sources a value carries. A short text can multiply them, so they count as work and are limited. */
  carry(sources: number): void {
    this.carried += sources
    if (this.carried > MOST_CARRIED) throw new Spent('size')
    this.spend(sources)
  }

  /** Runs a reader one nesting level deeper. */
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
