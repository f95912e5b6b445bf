import type { SessionMessage, SqlDialect } from './query-messages.ts'

/**
 * What Tablinum and a connector say to each other: the server writes one command as a line of JSON to the connector's standard input and reads
 * messages, one line of JSON each, from its standard output. Specification: docs/connectors.md.
 */
export const PROTOCOL_VERSION = 1
export const MAX_LINE_BYTES = 1024 * 1024
/** Of the rows of a query: one row can be long. */
export const MAX_ROWS_LINE_BYTES = 64 * 1024 * 1024

export type CommandName = 'describe' | 'test' | 'discover' | 'query'

/** Values of the settings by name; secrets among them. */
export type Settings = Readonly<Record<string, unknown>>

export interface Command {
  readonly protocol: number
  readonly command: CommandName
  readonly settings?: Settings
  /** Hosts, addresses and networks besides the public internet that the operator of the server allows. */
  readonly allowed_hosts?: readonly string[]
  /** What the last complete discovery saved with a state message. */
  readonly state?: unknown
  /** Versions of the items that the catalog has completely, by key. Absent if the server does not know `unchanged` messages. */
  readonly versions?: Readonly<Record<string, string>>
}

/** The settings of a connector: a JSON schema of one object with flat properties. */
export interface SettingsSchema {
  readonly type: 'object'
  readonly required?: readonly string[]
  readonly properties: Readonly<Record<string, SettingSchema>>
}

export interface SettingSchema {
  readonly type: 'string' | 'integer' | 'boolean'
  readonly title: string
  readonly description?: string
  readonly default?: string | number | boolean
  /** Never shown again once it is saved. */
  readonly secret?: boolean
  /** Decides where secrets are sent: when it changes, they must be entered again. */
  readonly destination?: boolean
  /** May span several lines: a key, a certificate. */
  readonly multiline?: boolean
}

export interface DescribeMessage {
  readonly type: 'describe'
  readonly protocol: number
  readonly name: string
  readonly label: string
  readonly version: string
  readonly settings: SettingsSchema
  /** What its user needs to be allowed to do in the source, as one would tell an administrator. */
  readonly grants?: string
  /** It runs queries of this dialect: the names of a table, from the database down, are the parts of its key. */
  readonly query?: { readonly dialect: SqlDialect }
}

export const ITEM_TYPES = [
  ...['table', 'column', 'schema', 'database', 'cluster', 'dashboard', 'dashboard_group', 'chart', 'report', 'query'],
  ...[
    'job',
    'job_group',
    'run',
    'test_suite',
    'test',
    'test_run',
    'event',
    'event_property',
    'category',
    'collection',
    'glossary',
    'document',
  ],
] as const
/** One thing of the source. A parent comes before its children. */
export interface ItemMessage {
  readonly type: 'item'
  /** Unique in the source, and the same in every run. */
  readonly key: string
  readonly parent?: string
  /** Differs whenever something of the item, or of what is below it, has changed: a time of change, a number, a hash. */
  readonly version?: string
  /**
   * Everything about the item and what is below it comes right after it, before anything else. Only then is it known to be complete when a run is
   * interrupted, so that the next one need not read it again.
   */
  readonly contiguous?: boolean
  readonly entity_type: (typeof ITEM_TYPES)[number]
  readonly title: string
  readonly description?: string | null
  readonly url?: string | null
  readonly native_type?: string | null
  /** E-mail addresses of users. */
  readonly owners?: readonly string[]
  readonly tags?: readonly string[]
  /** ISO 8601. */
  readonly updated_at?: string | null
  readonly usage?: Usage
  /** Of a column: its position among the columns, and whether it is part of the primary key. */
  readonly position?: number
  readonly primary_key?: boolean
  /** Of a table or database. */
  readonly row_count?: number | null
  readonly byte_size?: number | null
  /** Shown as they are. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** The SQL that produces it: its lineage is read from it. An item with a query has no lineage messages. */
  readonly query?: ItemQuery
  /** Its name elsewhere: if another source reported that, it is described in place of a duplicate. */
  readonly same_as?: SameAs
}

/** A table of any source by its name, or a job as OpenLineage events name it. */
export type SameAs =
  | { readonly table: readonly string[]; readonly dialect?: string }
  | { readonly job: { readonly namespace: string; readonly name: string } }

/** How often it was used: in the last `hours`, or in total since `since`. */
export interface Usage {
  readonly count: number
  readonly hours?: number
  readonly since?: string | null
  readonly users?: readonly string[]
}

export interface ItemQuery {
  readonly sql: string
  readonly dialect: string
  readonly database?: string
  readonly schema?: string
}

/** What flows into an item. Later messages about the same item add to earlier ones. */
export interface LineageMessage {
  readonly type: 'lineage'
  /** The key of an item of this run. */
  readonly to: string
  readonly from: readonly LineageSource[]
}

/** Another item by its key, or a table of any source by its name. */
export type LineageSource = ItemSource | TableSource

export interface ItemSource {
  readonly item: string
  /** The keys of its columns that flow. */
  readonly columns?: readonly string[]
  /** The key of a column of the target, if the columns flow into this one only. */
  readonly into?: string
}

export interface TableSource {
  /** From the database, or as much of it as is known, down to the table. */
  readonly table: readonly string[]
  /** The names of its columns that flow. */
  readonly columns?: readonly string[]
  readonly into?: string
  readonly dialect?: string
}

/** What a job carries from tables to tables. Where one side is empty, the job itself stands for it. */
export interface FlowMessage {
  readonly type: 'flow'
  /** The key of an item of this run, without lineage messages of its own. */
  readonly job: string
  readonly from: readonly FlowEnd[]
  readonly to: readonly FlowEnd[]
  /** From the only source to the only target: names of columns of a table, keys of columns of an item. */
  readonly columns?: readonly FlowColumn[]
}

export interface FlowColumn {
  readonly from: string
  readonly to: string
}

export type FlowEnd = { readonly item: string } | { readonly table: readonly string[]; readonly dialect?: string }

/** The item and everything whose key begins with its key and a dot are as they were reported last, with their lineage. */
export interface UnchangedMessage {
  readonly type: 'unchanged'
  /** One of the keys in `versions` of the command. */
  readonly key: string
  /** As it was reported last. */
  readonly parent?: string
}

/** These could not be listed, so that they are not treated as missing. */
export interface UnlistedMessage {
  readonly type: 'unlisted'
  readonly reason: string
  /** The key of one item that could not be read. */
  readonly key?: string
  /** All items of this type. */
  readonly entity_type?: string
}

export type Message =
  | DescribeMessage
  | ItemMessage
  | LineageMessage
  | FlowMessage
  | UnchangedMessage
  | UnlistedMessage
  | { readonly type: 'log'; readonly message: string }
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  /** Passed to the next discovery if this one completes. */
  | { readonly type: 'state'; readonly state: unknown }
  | { readonly type: 'error'; readonly message: string }
  | SessionMessage
  /** Ends every successful command. Without it nothing is treated as missing, because the output may be cut off. */
  | DoneMessage

export interface DoneMessage {
  readonly type: 'done'
  /** test: what was found, in a sentence. */
  readonly detail?: string
  /** discover: the number of items, without unchanged ones. */
  readonly items?: number
  /** discover: whether the items are everything there is. False after an incremental run. */
  readonly complete?: boolean
}
