import type { Generated, GeneratedAlways } from 'kysely'
import type { Timestamp } from './timestamp.ts'

export interface LineageTables {
  lineage_edges: LineageEdgesTable
  lineage_queries: LineageQueriesTable
  lineage_edge_counts: LineageEdgeCountsTable
}

export interface LineageEdgesTable {
  id: string
  mirror_id: string | null
  upstream: string
  downstream: string
  query: number | null
  kind: string | null
  statement: number | null
  span_start: number | null
  span_end: number | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface LineageQueriesTable {
  id: GeneratedAlways<number>
  hash: Buffer
  sql: string
  dialect: string
  engine_version: string
  statements: unknown
  created_at: Timestamp
}

export interface LineageEdgeCountsTable {
  xid: Generated<string>
  n: number
}
