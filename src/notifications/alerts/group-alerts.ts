/** Groups incidents with the same upstream cause. Pure. */
export interface AlertIncident {
  readonly subject_id: string
  /** ID of its table. */
  readonly table_id: string
  /** An incident that was open upstream when this one was opened, if known. */
  readonly upstream_incident: string | null
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
  const isUpstreamOf = (one: AlertIncident, other: AlertIncident): boolean => {
    if (one === other || Math.abs(Date.parse(one.opened_at) - Date.parse(other.opened_at)) > GROUP_WINDOW_MS) return false
    if (!upstream.get(other.table_id)?.has(one.table_id)) return other.upstream_incident === one.subject_id
    // In a cycle each table is upstream of the other; then the earlier incident is the cause.
    return one.table_id !== other.table_id && (!upstream.get(one.table_id)?.has(other.table_id) || isBefore(one, other))
  }
  const findGroup = (incident: AlertIncident): string => {
    const existing = incident.thread ?? groups.get(incident.subject_id)
    if (existing) return existing
    groups.set(incident.subject_id, incident.subject_id) // ends the recursion in a cycle
    const root = ordered.find((each) => isUpstreamOf(each, incident))
    const thread = root ? findGroup(root) : incident.subject_id
    groups.set(incident.subject_id, thread)
    return thread
  }
  return new Map(ordered.map((incident) => [incident.subject_id, findGroup(incident)]))
}

const isBefore = (a: AlertIncident, b: AlertIncident): boolean =>
  a.opened_at !== b.opened_at ? a.opened_at < b.opened_at : a.subject_id < b.subject_id
