/**
 * What Tablinum and a connector say to each other: the server writes one command as a line of JSON to the connector's standard input and reads
 * messages, one line of JSON each, from its standard output. Specification: docs/connectors.md.
 */
export const PROTOCOL_VERSION = 1
export const MAX_LINE_BYTES = 1024 * 1024

export type CommandName = 'describe' | 'test' | 'discover'

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
/** Types whose lineage can be read from a query. */
const QUERY_TYPES: readonly string[] = ['table', 'chart', 'query']

/** One thing of the source. A parent comes before its children. */
export interface ItemMessage {
  readonly type: 'item'
  /** Unique in the source, and the same in every run. */
  readonly key: string
  readonly parent?: string
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
  | UnlistedMessage
  | { readonly type: 'log'; readonly message: string }
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  /** Passed to the next discovery if this one completes. */
  | { readonly type: 'state'; readonly state: unknown }
  | { readonly type: 'error'; readonly message: string }
  /** Ends every successful command. Without it nothing is treated as missing, because the output may be cut off. */
  | DoneMessage

export interface DoneMessage {
  readonly type: 'done'
  /** test: what was found, in a sentence. */
  readonly detail?: string
  /** discover: the number of items. */
  readonly items?: number
  /** discover: whether the items are everything there is. False after an incremental run. */
  readonly complete?: boolean
}

/** A message that does not follow the protocol, by its number and field. */
export class ProtocolError extends Error {}

type Check = (value: unknown) => string | undefined
const text =
  (max: number): Check =>
  (value) =>
    typeof value !== 'string' || value === ''
      ? 'must be text'
      : value.length > max
        ? `must not be longer than ${max} characters`
        : undefined
const anyText: Check = (value) => (typeof value === 'string' ? undefined : 'must be text')
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value)
const listOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return 'must be a list'
    const wrong = value.findIndex((each) => check(each) !== undefined)
    return wrong < 0 ? undefined : `[${wrong}] ${check(value[wrong])}`
  }
const number: Check = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'must be a whole number of at least 0')
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')
const time: Check = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? undefined : 'must be a time such as 2026-01-31T08:00:00Z'
const MAX_NESTING = 50
const nested: Check = (value) => (isDeeper(value, MAX_NESTING) ? `must not be nested more than ${MAX_NESTING} levels deep` : undefined)
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))
const object: Check = (value) => (isObject(value) ? nested(value) : 'must be an object')

/** The fields of an object: those whose name ends in `?` may be absent. Unknown fields are errors, so that typing mistakes are found. */
const fields = (checks: Readonly<Record<string, Check>>): Check => {
  const all = new Map(Object.entries(checks).map(([name, check]) => [name.replace('?', ''), { check, optional: name.endsWith('?') }]))
  return (value) => {
    if (!isObject(value)) return 'must be an object'
    for (const [name, { check, optional }] of all) {
      if (value[name] === undefined) {
        if (optional) continue
        return `\`${name}\` is missing`
      }
      const problem = check(value[name])
      if (problem) return joinProblem(name, problem)
    }
    const unknown = Object.keys(value).find((name) => !all.has(name))
    return unknown === undefined ? undefined : `\`${unknown}\` is not a field of it`
  }
}

/** `from` and "[0] `table` must be a list" are "`from[0].table` must be a list". */
const joinProblem = (name: string, problem: string): string => {
  const inner = /^(\[\d+\])?\s*(?:`([^`]+)` )?(.*)$/s.exec(problem)!
  return `\`${name}${inner[1] ?? ''}${inner[2] ? `.${inner[2]}` : ''}\` ${inner[3]}`
}

const MAX_KEY = 400
const MAX_TITLE = 500
const MAX_TEXT = 100_000
const key: Check = (value) => text(MAX_KEY)(value) ?? (String(value).startsWith('.') ? 'must not start with a dot' : undefined)
const itemType: Check = (value) =>
  (ITEM_TYPES as readonly unknown[]).includes(value) ? undefined : `must be one of ${ITEM_TYPES.join(', ')}`
const type: Check = anyText

const itemSource = fields({ item: key, 'columns?': listOf(key), 'into?': key })
const tableSource = fields({ table: listOf(text(MAX_TITLE)), 'columns?': listOf(text(MAX_TITLE)), 'into?': key, 'dialect?': text(50) })
const tableName = fields({ table: listOf(text(MAX_TITLE)), 'dialect?': text(50) })
const flowEnd: Check = (value) => (isObject(value) && 'table' in value ? tableName(value) : fields({ item: key })(value))
const setting = fields({
  type: (value) => (['string', 'integer', 'boolean'].includes(value as string) ? undefined : 'must be string, integer or boolean'),
  title: text(100),
  'description?': anyText,
  'default?': (value) => (['string', 'number', 'boolean'].includes(typeof value) ? undefined : 'must be text, a number or a boolean'),
  'secret?': flag,
  'destination?': flag,
  'multiline?': flag,
})

const MESSAGES: Readonly<Record<string, Check>> = {
  describe: fields({
    type,
    protocol: number,
    name: (value) => (/^[a-z][a-z0-9_-]{0,49}$/.test(String(value)) ? undefined : 'must be lower-case letters, digits, _ and -'),
    label: text(100),
    version: text(50),
    settings: fields({
      type: (value) => (value === 'object' ? undefined : 'must be "object"'),
      'required?': listOf(anyText),
      properties: (value) => {
        if (!isObject(value)) return 'must be an object'
        for (const [name, each] of Object.entries(value)) {
          const problem = setting(each)
          if (problem) return joinProblem(name, problem)
        }
        return undefined
      },
    }),
    'grants?': anyText,
  }),
  item: fields({
    type,
    key,
    'parent?': key,
    entity_type: itemType,
    title: text(MAX_TITLE),
    'description?': orNull(
      (value) => anyText(value) ?? (String(value).length > MAX_TEXT ? `must not be longer than ${MAX_TEXT} characters` : undefined),
    ),
    'url?': orNull(text(4000)),
    'native_type?': orNull(text(MAX_TITLE)),
    'owners?': listOf(text(320)),
    'tags?': listOf(text(100)),
    'updated_at?': orNull(time),
    'usage?': fields({ count: number, 'hours?': number, 'since?': orNull(time), 'users?': listOf(text(320)) }),
    'position?': number,
    'primary_key?': flag,
    'row_count?': orNull(number),
    'byte_size?': orNull(number),
    'facts?': object,
    'query?': fields({ sql: text(MAX_LINE_BYTES), dialect: text(50), 'database?': text(MAX_TITLE), 'schema?': text(MAX_TITLE) }),
    'same_as?': (value) =>
      isObject(value) && 'table' in value
        ? tableName(value)
        : fields({ job: fields({ namespace: text(MAX_TITLE), name: text(MAX_TITLE) }) })(value),
  }),
  lineage: fields({
    type,
    to: key,
    from: listOf((value) => (isObject(value) && 'table' in value ? tableSource(value) : itemSource(value))),
  }),
  flow: fields({
    type,
    job: key,
    from: listOf(flowEnd),
    to: listOf(flowEnd),
    'columns?': listOf(fields({ from: text(MAX_TITLE), to: text(MAX_TITLE) })),
  }),
  unlisted: fields({ type, reason: text(MAX_TEXT), 'key?': key, 'entity_type?': itemType }),
  log: fields({ type, message: text(MAX_TEXT) }),
  progress: fields({ type, done: number, total: number }),
  state: fields({ type, state: nested }),
  error: fields({ type, message: text(MAX_TEXT) }),
  done: fields({ type, 'detail?': text(MAX_TEXT), 'items?': number, 'complete?': flag }),
}

/** Reads line `number` of a connector's output, counted from 1. */
export const parseMessage = (line: string, number: number): Message => {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    throw new ProtocolError(`Message ${number} is not valid JSON. Only messages may be written to standard output.`)
  }
  if (!isObject(message)) throw new ProtocolError(`Message ${number} must be an object.`)
  const check = Object.hasOwn(MESSAGES, String(message.type)) ? MESSAGES[String(message.type)] : undefined
  if (!check) throw new ProtocolError(`Message ${number}: \`type\` must be one of ${Object.keys(MESSAGES).join(', ')}.`)
  const problem = check(message)
  if (problem) throw new ProtocolError(`Message ${number} (${message.type}): ${problem}.`)
  return message as unknown as Message
}

/** What is wrong with the settings, by name. */
export const findSettingProblems = ({ properties, required = [] }: SettingsSchema, settings: Settings): string[] => [
  ...required.flatMap((name) => (settings[name] === undefined ? [`\`${name}\` is required.`] : [])),
  ...Object.entries(settings).flatMap(([name, value]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!schema) return [`\`${name}\` is unknown. Settings: ${Object.keys(properties).join(', ')}.`]
    const fits = schema.type === 'integer' ? Number.isSafeInteger(value) : typeof value === schema.type
    return fits ? [] : [`\`${name}\` must be ${{ string: 'text', integer: 'a whole number', boolean: 'true or false' }[schema.type]}.`]
  }),
]

/** Follows one run: keys are unique, parents come first, lineage names known items, and the end counts the items. */
export class RunChecker {
  readonly #keys = new Set<string>()
  readonly #withQuery = new Set<string>()
  readonly #withLineage = new Set<string>()
  readonly #withFlows = new Set<string>()
  #items = 0

  check(message: Message, number: number): void {
    const problem = this.#findProblem(message)
    if (problem) throw new ProtocolError(`Message ${number} (${message.type}): ${problem}.`)
  }

  #findProblem(message: Message): string | undefined {
    if (message.type === 'item') {
      if (this.#keys.has(message.key)) return `\`key\` ${message.key} was reported before`
      if (message.parent !== undefined && !this.#keys.has(message.parent)) return `\`parent\` ${message.parent} must be reported first`
      if (message.query && !QUERY_TYPES.includes(message.entity_type)) return `\`query\` is only for ${QUERY_TYPES.join(', ')}`
      this.#keys.add(message.key)
      if (message.query) this.#withQuery.add(message.key)
      this.#items += 1
    }
    if (message.type === 'lineage') {
      if (!this.#keys.has(message.to)) return `\`to\` ${message.to} must be reported first`
      if (this.#withQuery.has(message.to)) return `\`to\` ${message.to} has a query, from which its lineage is read`
      if (this.#withFlows.has(message.to)) return `\`to\` ${message.to} has flows`
      this.#withLineage.add(message.to)
    }
    if (message.type === 'flow') {
      if (!this.#keys.has(message.job)) return `\`job\` ${message.job} must be reported first`
      if (this.#withLineage.has(message.job) || this.#withQuery.has(message.job)) return `\`job\` ${message.job} has lineage of its own`
      if (message.from.length + message.to.length === 0) return '`from` and `to` are empty'
      if (message.columns && (message.from.length !== 1 || message.to.length !== 1)) return '`columns` need one source and one target'
      this.#withFlows.add(message.job)
    }
    if (message.type === 'done' && message.items !== undefined && message.items !== this.#items)
      return `\`items\` is ${message.items}, but ${this.#items} were reported`
    return undefined
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
