/**
 * What happens to related rows when a resource is deleted. Every table that references resources must be listed: `test/trash.test.ts`
 * compares with the database.
 */

/** Copied to the trash and restored if everything they reference exists. `of` are the columns that reference resources. */
export const COPIED_TABLES = {
  resource_views: { of: ['resource_id'], needs: { users: 'user_id' } },
  lineage_edges: { of: ['upstream', 'downstream'], needs: {} },
  resource_origins: { of: ['resource_id'], needs: { integrations: 'integration' } },
  resource_field_suggestions: { of: ['resource_id'], needs: { integrations: 'integration' } },
  pii_suggestions: { of: ['resource_id'], needs: { integrations: 'integration' } },
  change_suggestions: { of: ['resource_id'], needs: {} },
  comments: { of: ['resource_id'], needs: {} },
  comment_reactions: { of: ['resource_id'], needs: { users: 'user_id' } },
  query_reads: { of: ['query_id', 'resource_id'], needs: {} },
  schema_changes: { of: ['table_id'], needs: {} },
  openlineage_flows: { of: ['resource_id'], needs: {} },
  datahub_added_flows: { of: ['resource_id'], needs: { integrations: 'integration' } },
  profile_history: { of: ['resource_id'], needs: {} },
  usage_history: { of: ['resource_id'], needs: {} },
  profile_schedules: { of: ['target'], needs: {} },
} as const satisfies Record<string, { of: readonly string[]; needs: Partial<Record<'users' | 'integrations', string>> }>

export type CopiedTable = keyof typeof COPIED_TABLES

/** The columns of `resources` that hold JSON. */
export const JSON_COLUMNS = ['details', 'display_metadata', 'deprecation'] as const

/** All other tables, with the reason why they are not copied. */
export const NOT_COPIED_TABLES: Readonly<Record<string, string>> = {
  resources: 'The rows themselves.',
  property_values: 'Copied with the row of their resource.',
  resource_refs: 'Written by triggers.',
  resource_links: 'Written by triggers.',
  column_counts: 'Written by triggers.',
  search_titles: 'Written by triggers.',
  search_context: 'Written by triggers.',
  saved_view_matches: 'Found again by the next check of the view.',
  search_context_changes: 'Written by triggers.',
  search_references: 'Written by triggers; the target is a tag, person or group.',
  search_rules: 'They stay and apply again when the resource is restored.',
  search_synonyms: 'Written by triggers.',
  search_texts: 'Written by triggers.',
  search_vectors: 'Computed again.',
  search_vector_changes: 'Only needed to compute vectors.',
  resource_changes: 'Only needed by process caches.',
  parent_changes: 'Only needed by running transactions.',
  activities: 'History is kept.',
  public_links: 'They end: a page that comes back from the trash must not be public unnoticed.',
  attachments: 'Kept while their resource is in the trash. Housekeeping deletes them afterwards.',
  history_texts: 'History is kept.',
  trash: 'The trash itself.',
  monitors: 'Kept for 90 days with their measurements and incidents; they resume when their target is restored.',
  monitor_incidents: 'Kept with their monitor.',
  changed_health: 'Written by triggers.',
  resource_health: 'Derived from monitors, incidents, lineage, history and the resource itself.',
  deprecation_paths: 'Derived from lineage and deprecations.',
  incident_paths: 'Derived from lineage and open incidents.',
  monitor_runs: 'Running monitors.',
  notifications: 'Kept in the inboxes.',
  notification_windows: 'Messages being sent.',
  notification_alerts: 'Messages being sent.',
  column_profiles: 'They contain values of the source, which must not be kept in the trash. Profiles are computed again.',
  failing_rows: 'They contain values of the source, which must not be kept in the trash. Housekeeping deletes those of deleted tables.',
  pii_failed_scans: 'Tables that a scan retries. The next scan reads them anyway.',
  query_uses: 'Kept until they expire.',
  source_queries: 'Kept with their integration.',
  assistant_conversations: 'Private to their user, and kept.',
}
