/** What the address of the incidents says. */
const STATUSES = ['active', 'acknowledged', 'resolved', 'all'] as const

export interface IncidentsAddress {
  /** Absent: those that are open. */
  readonly status?: (typeof STATUSES)[number]
  /** Only those one looks after oneself. */
  readonly mine?: 'true'
}

export const incidentsAddress = (said: Record<string, unknown>): IncidentsAddress => ({
  status: STATUSES.find((each) => each === said.status),
  mine: said.mine === 'true' ? 'true' : undefined,
})
