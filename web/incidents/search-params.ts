import { parseSeverity, type Severity } from '../monitors/severity-param.ts'

/** URL state of the incident list. */
const STATUSES = ['active', 'acknowledged', 'resolved', 'all'] as const

export interface IncidentsSearch {
  /** Absent: open incidents. */
  readonly status?: (typeof STATUSES)[number]
  readonly severity?: Severity
  /** Only incidents assigned to the current user. */
  readonly mine?: 'true'
}

export const parseIncidentsSearch = (search: Record<string, unknown>): IncidentsSearch => ({
  status: STATUSES.find((each) => each === search.status),
  severity: parseSeverity(search.severity),
  mine: search.mine === 'true' ? 'true' : undefined,
})
