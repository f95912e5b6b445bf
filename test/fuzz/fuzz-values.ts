import fc, { type Arbitrary } from 'fast-check'

/** Values that a schema of the document allows, and values that are invalid everywhere. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** Existing IDs, and the targets of `$ref`. */
export interface ExistingValues {
  readonly ids: readonly string[]
  /** IDs that fit this name better, if any are known. */
  named(name: string): readonly string[] | undefined
  /** Texts that fit this name, e.g. a URL that responds. */
  readonly texts?: Readonly<Record<string, string>>
  resolve(ref: string): Schema
}

const AWKWARD = [
  '',
  ' ',
  'null',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '$1',
  '{}',
  'İ',
  'ﬀ',
  'ß',
  '٣',
  '\u202e',
  '😀',
  '--',
  ';',
  '0',
  '-1',
  'true',
  '../..',
]
/** Creating an arbitrary of texts takes longer than hundreds of its values, so each is created once. */
const graphemesByLength = new Map<string, Arbitrary<string>>()
const graphemes = (minLength: number, maxLength: number): Arbitrary<string> => {
  const key = `${minLength} ${maxLength}`
  const known = graphemesByLength.get(key) ?? fc.string({ unit: 'grapheme', minLength, maxLength })
  graphemesByLength.set(key, known)
  return known
}

const KEY = fc.string({ maxLength: 12 })
const UUID = fc.uuid()
const EMAIL = fc.emailAddress()
const ANYTHING = fc.jsonValue({ maxDepth: 2 })
const TIME = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((at) => at.toISOString())
const matchingByPattern = new Map<string, Arbitrary<string>>()
const matching = (pattern: string): Arbitrary<string> => {
  const known = matchingByPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern), { maxLength: 60 })
  matchingByPattern.set(pattern, known)
  return known
}

const generateText = (schema: Schema): Arbitrary<string> => {
  const { minLength = 0, maxLength = 40 } = schema
  const max = Math.min(maxLength, 40)
  return fc.oneof(graphemes(minLength, max), fc.constantFrom(...AWKWARD.map((each) => each.padEnd(minLength, 'x').slice(0, maxLength))))
}

/** Values by field name: IDs, JSON in text, SQL. Without them no list would ever get a meaningful request. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  filter: [
    '{"operator":"exact","field":"id","value":"00000000-0000-7000-8000-000000000000"}',
    '{"operator":"and","operands":[{"operator":"is_set","field":"id"},{"operator":"in","field":"id","value":[]}]}',
    '{"operator":"not","operands":[{"operator":"is_set","field":"id"}]}',
  ],
  sort: ['{"field":"created_at","order":"asc"}', '{"field":"created_at","order":"desc","tie_breaker":{"field":"id","order":"asc"}}'],
  cursor: [''],
  fields: ['id', 'id,created_at'],
  sql: ['select 1 as a', 'insert into a.b select x, y from c.d join e using (id)', 'create view v as select a.b from a', 'delete from "T"'],
  dialect: ['postgres', 'postgresql', 'bigquery', 'snowflake'],
  entity_type: ['table', 'column'],
  without_entity_type: ['dashboard'],
  host: ['127.0.0.1'], // never contacts another machine
  path: ['nothing.db'],
  version: ['1', '2'],
  as_of: ['2026-01-01T00:00:00Z', '2099-12-31'],
}
/** The same for lists of texts. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  embed_origins: ['https://wiki.example.com', 'http://localhost:8080', 'HTTPS://Wiki.Example.com/'],
}
const IDS = /(^|_)(id|teams|user|entity|parent|integration|owners|tags|from|to)$/
const WHOLE: Readonly<Record<string, readonly [number, number]>> = {
  page: [1, 3],
  page_size: [1, 60],
  version: [1, 2],
  from: [1, 2],
  to: [1, 2],
  depth: [1, 5],
  port: [1, 1],
}

const generateHinted = (name: string, schema: Schema, existing: ExistingValues): Arbitrary<unknown> | undefined => {
  const { type, items } = schema
  const text = existing.texts?.[name]
  if (text !== undefined) return fc.constant(text)
  const ids = existing.named(name) ?? existing.ids
  const range = type === 'integer' ? WHOLE[name] : undefined
  if (range) return fc.integer({ min: range[0], max: range[1] })
  if (schema.enum) return undefined
  if (existing.named(name) && (isId(schema) || isId(items))) return generateAllowed(schema, { ...existing, ids })
  const list = LISTS[name]
  if (list) return fc.oneof(fc.subarray([...list]), generateAllowed(schema, existing))
  if (type !== 'string') return undefined
  const texts = TEXTS[name]
  if (texts) return fc.constantFrom(...texts)
  if (name.endsWith('__in')) return fc.array(fc.constantFrom(...ids), { minLength: 1, maxLength: 3 }).map((some) => some.join(','))
  return IDS.test(name) ? fc.constantFrom(...ids) : undefined
}

const isId = (schema: Schema | undefined): boolean => schema?.format === 'uuid' || Boolean(schema?.pattern?.includes('[0-9a-fA-F]{8}'))

const string = (schema: Schema, { ids }: ExistingValues): Arbitrary<unknown> => {
  if (isId(schema)) return fc.oneof({ arbitrary: fc.constantFrom(...ids), weight: 9 }, { arbitrary: UUID, weight: 1 })
  if (schema.format === 'date-time') return TIME
  if (schema.format === 'email') return EMAIL
  if (schema.pattern) return matching(schema.pattern)
  return generateText(schema)
}

/** All required fields and a few others: all of them together are hardly ever valid. */
export const generateSome = (
  fields: Readonly<Record<string, Schema>>,
  required: readonly string[],
  existing: ExistingValues,
): Arbitrary<Record<string, unknown>> =>
  fc
    .subarray(
      Object.keys(fields).filter((name) => !required.includes(name)),
      { maxLength: Math.min(4, Object.keys(fields).length - required.length) },
    )
    .chain((others) =>
      fc.record(Object.fromEntries([...required, ...others].map((name) => [name, generateField(name, fields[name] ?? {}, existing)]))),
    )

const generateObject = (
  { properties = {}, required = [], additionalProperties, patternProperties }: Schema,
  existing: ExistingValues,
): Arbitrary<unknown> => {
  const fields = generateSome(properties, required, existing)
  const free = patternProperties ? Object.values(patternProperties)[0] : additionalProperties
  if (typeof free !== 'object') return fields
  const keys = fc.oneof(KEY, fc.constantFrom(...(existing.named('') ?? existing.ids)))
  const more = fc.dictionary(keys, generateAllowed(free, existing), { maxKeys: 2 })
  return fc.tuple(fields, more).map(([own, others]) => ({ ...others, ...own }))
}

/** A value by name or, otherwise, by schema. */
export const generateField = (name: string, schema: Schema, existing: ExistingValues): Arbitrary<unknown> =>
  generateHinted(name, schema, existing) ?? generateAllowed(schema, existing)

export const generateAllowed = (schema: Schema, existing: ExistingValues): Arbitrary<unknown> => {
  if (schema.$ref) return generateAllowed(existing.resolve(schema.$ref), existing)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return fc.oneof(...alternatives.map((each) => generateAllowed(each, existing)))
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length > 1) return fc.oneof(...types.map((type) => generateAllowed({ ...schema, type }, existing)))
  switch (types[0]) {
    case 'string':
      return string(schema, existing)
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? -1000,
        max: Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? 1_000_000, 2 ** 31 - 1)),
      })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(generateAllowed(schema.items ?? {}, existing), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      })
    case 'object':
      return generateObject(schema, existing)
    default:
      return ANYTHING
  }
}

/** Values that are invalid almost everywhere. */
export const wrongValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      null,
      true,
      '',
      0,
      -1,
      1.5,
      [],
      {},
      [[]],
      [null],
      { a: { b: [] } },
      '\0',
      'a\0b',
      '\ud800',
      '\udc00x',
      '\u0007\u001b[31m',
      '\n\r\t\v',
    ],
    ...['x'.repeat(501), 'x'.repeat(70_000), '0'.repeat(4001), 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e308, -1e308, 5e-324],
    ...[
      '2026-02-30',
      '2026-01-01T25:00:00Z',
      '9999-12-31T23:59:59Z',
      '0000-00-00',
      '1e999',
      '0x10',
      'not-a-uuid',
      '00000000000000000000000000000000',
    ],
    ...[Array.from({ length: 1001 }, () => '00000000-0000-0000-0000-000000000000'), { $ref: '#' }, { toString: 1 }, { length: -1 }],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
)

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    ...AWKWARD,
    '2026-02-30',
    '2026-01-01T25:00',
    '9999-12-31',
    '2026-01-01T00:00:00.123456789Z',
    1e308,
    -0,
    '1e999',
    ' 7 ',
    2 ** 63,
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.double(),
  fc.boolean(),
  fc.uuid(),
)
const FIELDS = [
  'title',
  'id',
  'external_usage',
  'row_count',
  'created_at',
  'pii',
  'tags',
  'sources',
  'total_usage',
  'schema',
  'toString',
  '__proto__',
]
const field = fc.oneof(
  fc.constantFrom(...FIELDS, 'performer_type', 'logged_at', 'custom_property:Tier', 'custom_property:'),
  fc.string({ maxLength: 9 }),
)

/** Filters of known and unknown fields, with valid and invalid values. */
export const anyFilter: Arbitrary<unknown> = fc.letrec((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({
      operator: fc.constantFrom('exact', 'contains', 'starts_with', 'in', 'is_set', 'is_not_set', 'gt', 'lte', 'and', 'matches'),
      field,
      value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
    }),
    fc.record({ operator: fc.constantFrom('and', 'or', 'not'), operands: fc.array(tie('filter'), { maxLength: 3 }) }),
  ),
})).filter

export const anySort: Arbitrary<unknown> = fc.record(
  { field, order: fc.constantFrom('asc', 'desc', 'up', null), tie_breaker: fc.record({ field, order: fc.constantFrom('asc', 'desc') }) },
  { requiredKeys: ['field'] },
)
