/** Why a result is incomplete. */
export type IncompleteReason = 'time' | 'size' | 'depth' | 'internal'

/** Thrown only inside the engine and caught at the statement it stops: what was found until then is kept. */
export class BudgetExceeded extends Error {
  readonly reason: IncompleteReason

  constructor(shortfall: IncompleteReason) {
    super(shortfall)
    this.reason = shortfall
  }
}

const CLOCK_CHECK_STEPS = 20_000 // steps between two checks of the clock: well under a millisecond
const MAX_CARRIED_SOURCES = 1_000_000 // a column with a thousand sources that is used a thousand times: nobody writes that by hand
const MAX_DEPTH = 1_000 // nested queries; each level takes a few stack frames

/** Counts the work, so that a hostile text is stopped early and a test can prove that work grows linearly with the text. */
export class Budget {
  steps = 0
  private carried = 0
  private depth = 0
  private glance = CLOCK_CHECK_STEPS
  private readonly deadline: number

  constructor(milliseconds: number) {
    this.deadline = performance.now() + milliseconds
  }

  spend(steps: number): void {
    this.steps += steps
    if (this.steps < this.glance) return
    this.glance = this.steps + CLOCK_CHECK_STEPS
    if (performance.now() > this.deadline) throw new BudgetExceeded('time')
  }

  /** The sources a value carries. A short text can multiply them, so they count as work and are limited. */
  carry(sources: number): void {
    this.carried += sources
    if (this.carried > MAX_CARRIED_SOURCES) throw new BudgetExceeded('size')
    this.spend(sources)
  }

  /** Runs a reader one nesting level deeper. */
  deeper<Result>(read: () => Result): Result {
    if (this.depth >= MAX_DEPTH) throw new BudgetExceeded('depth')
    this.depth++
    try {
      return read()
    } finally {
      this.depth--
    }
  }
}
