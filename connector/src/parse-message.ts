import {
  anyText,
  type Check,
  fields,
  flag,
  isObject,
  joinProblem,
  listOf,
  nested,
  number,
  object,
  orNull,
  text,
  time,
} from './field-checks.ts'
import { ITEM_TYPES, MAX_LINE_BYTES, type Message } from './messages.ts'
import { FAILURE_CAUSES, SQL_DIALECTS } from './query-messages.ts'

/** A message that does not follow the protocol, by its number and field. */
export class ProtocolError extends Error {}

const MAX_KEY = 400
const MAX_VERSION = 100
const MAX_TITLE = 500
const MAX_TEXT = 100_000
const key: Check = (value) => text(MAX_KEY)(value) ?? (String(value).startsWith('.') ? 'must not start with a dot' : undefined)
const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    (values as readonly unknown[]).includes(value) ? undefined : `must be one of ${values.join(', ')}`
const itemType = oneOf(ITEM_TYPES)
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
    'query?': fields({ dialect: oneOf(SQL_DIALECTS) }),
  }),
  item: fields({
    type,
    key,
    'parent?': key,
    'version?': text(MAX_VERSION),
    'contiguous?': flag,
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
  unchanged: fields({ type, key, 'parent?': key }),
  unlisted: fields({ type, reason: text(MAX_TEXT), 'key?': key, 'entity_type?': itemType }),
  log: fields({ type, message: text(MAX_TEXT) }),
  progress: fields({ type, done: number, total: number }),
  state: fields({ type, state: nested }),
  error: fields({ type, message: text(MAX_TEXT) }),
  ready: fields({ type }),
  columns: fields({ type, id: number, columns: listOf(fields({ name: anyText, type: anyText })) }),
  rows: fields({ type, id: number, rows: listOf((value) => (Array.isArray(value) ? undefined : 'must be a list')) }),
  end: fields({ type, id: number, 'truncated?': flag }),
  failed: fields({ type, id: number, message: text(MAX_TEXT), 'about?': oneOf(FAILURE_CAUSES), 'code?': text(100) }),
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
