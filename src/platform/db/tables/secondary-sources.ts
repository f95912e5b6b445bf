import type { Generated } from 'kysely'
import type { Timestamp } from './timestamp.ts'

export interface SecondarySourceTables {
  datahub_added_flows: DatahubAddedFlowsTable
  datahub_aspects: DatahubAspectsTable
  datahub_rejected_events: DatahubRejectedEventsTable
  dbt_artifacts: DbtArtifactsTable
  integration_losses: IntegrationLossesTable
  openlineage_flows: OpenlineageFlowsTable
  query_log_executions: QueryLogExecutionsTable
  query_log_positions: QueryLogPositionsTable
  query_log_statements: QueryLogStatementsTable
  query_log_uploads: QueryLogUploadsTable
  resource_field_suggestions: ResourceFieldSuggestionsTable
  source_queries: SourceQueriesTable
}

export interface DatahubAddedFlowsTable {
  integration: string
  key: string
  resource_id: string
  flows: unknown
  sync_id: string | null
}

export interface DatahubAspectsTable {
  integration: string
  urn_hash: Buffer
  aspect: string
  urn: string
  entity_type: string
  value: unknown
  changed_at: Timestamp
}

export interface DatahubRejectedEventsTable {
  integration: string
  event_hash: string
  line: string
  received_at: Timestamp
}

export interface DbtArtifactsTable {
  integration: string
  name: string
  body: Buffer
  created_at: Timestamp
}

export interface IntegrationLossesTable {
  integration: string
  number: number
  line: string
}

export interface OpenlineageFlowsTable {
  resource_id: string
  flows: unknown
}

export interface QueryLogExecutionsTable {
  integration: string
  hash: Buffer
  at: Timestamp
  user_name: string
  duration_ms: number | null
}

export interface QueryLogPositionsTable {
  integration: string
  source: string
  position: string
  read_at: Timestamp
}

export interface QueryLogStatementsTable {
  integration: string
  hash: Buffer
  sql: string
  database: string | null
  schema: string | null
  untimed_calls: Generated<number>
}

export interface QueryLogUploadsTable {
  integration: string
  digest: Buffer
  uploaded_at: Timestamp
  report: unknown
}

export interface ResourceFieldSuggestionsTable {
  resource_id: string
  integration: string
  reported_values: unknown
  fingerprint: string
  items: unknown
}

export interface SourceQueriesTable {
  integration: string
  target: string
  fingerprint: string
  hashes: string[]
}
