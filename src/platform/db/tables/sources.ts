import type { Generated } from 'kysely'
import type { Timestamp, TimestampOrNull } from './timestamp.ts'

export interface SourcesTables {
  connector_states: ConnectorStatesTable
  connector_versions: ConnectorVersionsTable
  import_lines: ImportLinesTable
  import_reported_values: ImportReportedValuesTable
  imports: ImportsTable
  integration_syncs: IntegrationSyncsTable
  integrations: IntegrationsTable
  reported_lineage: ReportedLineageTable
  resource_origins: ResourceOriginsTable
  schema_changes: SchemaChangesTable
  sync_checkpoints: SyncCheckpointsTable
  sync_items: SyncItemsTable
}

export interface ConnectorStatesTable {
  integration: string
  settings_hash: string
  state: unknown
}

export interface ConnectorVersionsTable {
  integration: string
  settings_hash: string
  versions: unknown
  listed_at: Timestamp
  read_at: Timestamp
}

export interface ImportLinesTable {
  import_id: string
  line: number
  new_id: string | null
  key: string | null
  id: string | null
  parent_key: string | null
  parent_id: string | null
  from_key: string | null
  to_key: string | null
  data: unknown
}

export interface ImportReportedValuesTable {
  import_id: string
  number: number
  changes: unknown
}

export interface ImportsTable {
  id: string
  xid: Generated<string>
  imported_at: Timestamp
  user_id: string | null
  integration: string
  file_name: string | null
  format: string
  lines: number
  created: number
  updated: number
  lineage_created: number
  containers_published: number
  undo_job: string | null
  undone_at: TimestampOrNull
  undone_by: string | null
  undo_report: unknown
}

export interface IntegrationSyncsTable {
  id: string
  integration: string
  status: string
  created_at: Timestamp
  started_at: TimestampOrNull
  finished_at: TimestampOrNull
  error: string | null
  report: unknown
  undone_at: TimestampOrNull
  needs_confirmation: unknown
  cancelled_at: TimestampOrNull
  attempt: string | null
}

export interface IntegrationsTable {
  id: string
  name: string
  type: string
  created_at: Timestamp
  updated_at: Timestamp
  teams: string[] | null
  connection: unknown
  secrets: Buffer | null
  secrets_key: string | null
  secret_fields: string[] | null
  schedule: unknown
  last_synced_at: TimestampOrNull
  last_sync_status: string | null
  last_sync_error: string | null
  next_sync_at: TimestampOrNull
  removal_job: string | null
  preview_enabled: Generated<boolean>
  sql_dialect: string | null
  hidden_teams: string[] | null
}

export interface ReportedLineageTable {
  run: string
  integration: string
  key: string
  number: number
  kind: string
  reported: unknown
}

export interface ResourceOriginsTable {
  resource_id: string
  integration: string
  key: string
  stable_id: string | null
  reported_values: unknown
  fingerprint: string
  lineage: string | null
  gone_at: TimestampOrNull
}

export interface SchemaChangesTable {
  id: string
  table_id: string
  at: Timestamp
  sync_id: string | null
  changes: unknown
  announced: Generated<boolean>
}

export interface SyncCheckpointsTable {
  integration: string
  key: string
  version: string
  settings_hash: string
  sync_id: string
  read_at: Timestamp
  messages: string
}

export interface SyncItemsTable {
  sync_id: string
  number: number
  entity_type: string
  key: string
  stable_id: string | null
  fingerprint: string
  lineage: string | null
  item: unknown
  used: unknown
}
