/**
 * What becomes of the rows that belong to a resource when it is deleted. Every table that names resources is here: `test/trash.test.ts`
 * compares with the database, so that a new one is not forgotten.
 */

/** Copied into the trash and brought back, if everything they name exists. `of` are the columns that name resources. */
export const COPIED = {
  resource_views: { of: ['resource_id'], needs: { users: 'user_id' } },
  lineage_edges: { of: ['upstream', 'downstream'], needs: {} },
  resource_origins: { of: ['resource_id'], needs: { integrations: 'integration' } },
  resource_offers: { of: ['resource_id'], needs: { integrations: 'integration' } },
  pii_suggestions: { of: ['resource_id'], needs: { integrations: 'integration' } },
  query_reads: { of: ['query_id', 'resource_id'], needs: {} },
  openlineage_flows: { of: ['resource_id'], needs: {} },
} as const satisfies Record<string, { of: readonly string[]; needs: Partial<Record<'users' | 'integrations', string>> }>

export type CopiedTable = keyof typeof COPIED

/** The columns of `resources` that hold JSON. */
export const DOCUMENTS = ['details', 'display_metadata'] as const

/** The rest, with the reason why it is not copied by itself. */
export const NOT_COPIED: Readonly<Record<string, string>> = {
  resources: 'The rows themselves.',
  property_values: 'Copied with the row of their resource.',
  resource_refs: 'Written by triggers.',
  resource_links: 'Written by triggers.',
  search_titles: 'Written by triggers.',
  search_texts: 'Written by triggers.',
  resource_changes: 'For caches of processes.',
  parent_changes: 'For transactions under way.',
  activities: 'History stays.',
  history_texts: 'History stays.',
  trash: 'The trash itself.',
  monitors: 'They stay for 90 days with their measurements and incidents, and go on when their target is back.',
  monitor_incidents: 'They stay with their monitor.',
  monitor_runs: 'Runs under way.',
  notifications: 'They stay where they were delivered.',
  notification_windows: 'Messages under way.',
  notification_alerts: 'Messages under way.',
  column_profiles: 'They hold values of the source, which do not belong into a trash. A profile is made anew.',
  pii_failed_scans: 'Tables that a scan tries again. The next scan reads them anyway.',
  query_uses: 'They stay, and are forgotten by their age.',
  source_queries: 'They stay with their integration.',
}
