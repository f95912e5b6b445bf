/** Groups incidents with the same upstream cause. Pure. */
export interface AlertIncident {
  readonly about: string
  /** ID of its table. */
  readonly place: string
  /** An incident that was open upstream when this one was opened, if known. */
  readonly above: string | null
  readonly opened_at: string
  /** Set once the alert was sent. */
  readonly thread: string | null
}

/** Most pipelines run once a day, so a failure reaches downstream tables within a day. */
const GROUP_WINDOW_MS = 24 * 3_600_000

/** Assigns each incident the group of the earliest incident upstream of it, else its own. `upstream` maps a table to all tables upstream of it. */
export const groupAlerts = (
  incidents: readonly AlertIncident[],
  upstream: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, string> => {
  const ordered = [...incidents].sort((a, b) => (isBefore(a, b) ? -1 : 1))
  const groups = new Map<string, string>()
  const isAbove = (one: AlertIncident, other: AlertIncident): boolean => {
    if (one === other || Math.abs(Date.parse(one.opened_at) - Date.parse(other.opened_at)) > GROUP_WINDOW_MS) return false
    if (!upstream.get(other.place)?.has(one.place)) return other.above === one.about
    // In a cycle each table is upstream of the other; then the earlier incident is the cause.
    return one.place !== other.place && (!upstream.get(one.place)?.has(other.place) || isBefore(one, other))
  }
  const findGroup = (incident: AlertIncident): string => {
    const existing = incident.thread ?? groups.get(incident.about)
    if (existing) return existing
    groups.set(incident.about, incident.about) // ends the recursion in a cycle
    const root = ordered.find((each) => isAbove(each, incident))
    const thread = root ? findGroup(root) : incident.about
    groups.set(incident.about, thread)
    return thread
  }
  return new Map(ordered.map((incident) => [incident.about, findGroup(incident)]))
}

const isBefore = (a: AlertIncident, b: AlertIncident): boolean =>
  a.opened_at !== b.opened_at ? a.opened_at < b.opened_at : a.about < b.about
