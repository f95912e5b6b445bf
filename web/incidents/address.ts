/** URL state of the incident list. */
const STATUSES = ['active', 'acknowledged', 'resolved', 'all'] as const

export interface IncidentsAddress {
  /** Absent: open incidents. */
  readonly status?: (typeof STATUSES)[number]
  /** Only incidents assigned to the current user. */
  readonly mine?: 'true'
}

export const incidentsAddress = (said: Record<string, unknown>): IncidentsAddress => ({
  status: STATUSES.find((each) => each === said.status),
  mine: said.mine === 'true' ? 'true' : undefined,
})
