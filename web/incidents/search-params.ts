/** URL state of the incident list. */
const STATUSES = ['active', 'acknowledged', 'resolved', 'all'] as const

export interface IncidentsSearch {
  /** Absent: open incidents. */
  readonly status?: (typeof STATUSES)[number]
  /** Only incidents assigned to the current user. */
  readonly mine?: 'true'
}

export const parseIncidentsSearch = (search: Record<string, unknown>): IncidentsSearch => ({
  status: STATUSES.find((each) => each === search.status),
  mine: search.mine === 'true' ? 'true' : undefined,
})
