/**
 * What broke because something above it broke is told together with that. Pure.
 */
export interface Breakage {
  readonly about: string
  /** The table it is in. */
  readonly place: string
  /** One that was open upstream when this one opened, as is known. */
  readonly above: string | null
  readonly opened_at: string
  /** Known once it was told. */
  readonly thread: string | null
}

/** A day: most pipelines run once a day, and what breaks in the morning is seen below by the evening. */
const WINDOW_MS = 24 * 3_600_000

/** The thread each breakage is told in: that of the first to break among those above it, else its own. `upstream` holds all places above a place. */
export const threadsOf = (breakages: readonly Breakage[], upstream: ReadonlyMap<string, ReadonlySet<string>>): Map<string, string> => {
  const ordered = [...breakages].sort((a, b) => (isBefore(a, b) ? -1 : 1))
  const threads = new Map<string, string>()
  const isAbove = (one: Breakage, other: Breakage): boolean => {
    if (one === other || Math.abs(Date.parse(one.opened_at) - Date.parse(other.opened_at)) > WINDOW_MS) return false
    if (!upstream.get(other.place)?.has(one.place)) return other.above === one.about
    // Where data runs in a circle each is above the other: the first to break is.
    return one.place !== other.place && (!upstream.get(one.place)?.has(other.place) || isBefore(one, other))
  }
  const threadOf = (breakage: Breakage): string => {
    const known = breakage.thread ?? threads.get(breakage.about)
    if (known) return known
    threads.set(breakage.about, breakage.about) // what leads back here ends here
    const root = ordered.find((each) => isAbove(each, breakage))
    const thread = root ? threadOf(root) : breakage.about
    threads.set(breakage.about, thread)
    return thread
  }
  return new Map(ordered.map((breakage) => [breakage.about, threadOf(breakage)]))
}

const isBefore = (a: Breakage, b: Breakage): boolean => (a.opened_at !== b.opened_at ? a.opened_at < b.opened_at : a.about < b.about)
