import { parseSeverity, type Severity } from '../monitors/severity-param.ts'

/** URL state of the incident list. */
const STATUSES = ['active', 'acknowledged', 'resolved', 'snoozed', 'all'] as const

export interface IncidentsSearch {
  /** Absent: open incidents. */
  readonly status?: (typeof STATUSES)[number]
  readonly severity?: Severity
  /** Only incidents assigned to the current user. */
  readonly mine?: 'true'
  /** Without snoozed incidents. */
  readonly awake?: 'true'
  /** Incidents of a table together. */
  readonly group?: 'table'
  /** Only incidents of the tables of a team, source or owner, and opened or resolved since then. Links of the insights set them. */
  readonly team_id?: string
  readonly integration_id?: string
  readonly owner_id?: string
  readonly opened_since?: string
  readonly resolved_since?: string
}

const SUBJECTS = ['team_id', 'integration_id', 'owner_id'] as const
const TIMES = ['opened_since', 'resolved_since'] as const
export const LINKED_FILTERS = [...SUBJECTS, ...TIMES]

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, 100) : undefined)
const toTime = (value: unknown): string | undefined => (Number.isNaN(Date.parse(toText(value) ?? '')) ? undefined : toText(value))

export const parseIncidentsSearch = (search: Record<string, unknown>): IncidentsSearch => ({
  status: STATUSES.find((each) => each === search.status),
  severity: parseSeverity(search.severity),
  mine: search.mine === 'true' ? 'true' : undefined,
  awake: search.awake === 'true' ? 'true' : undefined,
  group: search.group === 'table' ? 'table' : undefined,
  ...Object.fromEntries(SUBJECTS.map((name) => [name, toText(search[name])])),
  ...Object.fromEntries(TIMES.map((name) => [name, toTime(search[name])])),
})
