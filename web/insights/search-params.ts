/** URL state of the insights: what they are about, and what is compared. */
export const GROUPINGS = ['integration', 'schema', 'team', 'owner'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface InsightsSearch {
  readonly team?: string
  readonly source?: string
  readonly owner?: string
  /** Absent: by source. */
  readonly by?: Grouping
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, 100) : undefined)

export const parseInsightsSearch = (params: Record<string, unknown>): InsightsSearch => ({
  team: toText(params.team),
  source: toText(params.source),
  owner: toText(params.owner),
  by: GROUPINGS.find((each) => each === params.by),
})

/** The same as parameters of the API. */
export const toScopeParams = ({ team, source, owner }: InsightsSearch) => ({ team_id: team, integration_id: source, owner_id: owner })
