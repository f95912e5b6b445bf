/** Reading DataHub's identifiers. Pure. */

/**
 * The parts of `urn:li:dataset:(a,(b,c),d)`: `a`, `(b,c)` and `d`; of `urn:li:tag:x` only `x`. Names may contain commas and parentheses: those of
 * datasets and columns are found by what surrounds them.
 */
export const getUrnParts = (urn: string): string[] => {
  const id = urn.split(':').slice(3).join(':')
  if (!id.startsWith('(') || !id.endsWith(')')) return [decode(id)]
  const type = urn.split(':')[2]!
  const known = (type === 'schemaField' ? COLUMN_OF_DATASET : PLATFORM_NAME_ENVIRONMENT).exec(id)
  const parts = known ? known.slice(1) : joinNames(splitAtCommas(id), PART_COUNTS.get(type))
  return parts.map((part) => (part.startsWith('urn:') ? part : decode(part)))
}

const PLATFORM_NAME_ENVIRONMENT = /^\((urn:li:dataPlatform:[^,]*),(.*),([^,]*)\)$/s
const COLUMN_OF_DATASET = /^\((urn:li:dataset:\(urn:li:dataPlatform:[^,]*,.*?,[A-Z][A-Z0-9_]*\)),(.*)\)$/s

/** Commas inside parentheses do not separate. */
const splitAtCommas = (id: string): string[] => {
  const parts: string[] = []
  let [depth, start] = [0, 1]
  for (let i = 1; i < id.length - 1; i += 1) {
    if (id[i] === '(') depth += 1
    else if (id[i] === ')') depth -= 1
    else if (id[i] === ',' && depth === 0) {
      parts.push(id.slice(start, i))
      start = i + 1
    }
  }
  return [...parts, id.slice(start, -1)]
}

/** How many parts the URNs of a type have: the second one is the name. */
const PART_COUNTS: ReadonlyMap<string, number> = new Map([
  ...(['schemaField', 'chart', 'dashboard', 'dataJob', 'notebook', 'mlFeature', 'mlPrimaryKey', 'mlFeatureTable'] as const).map(
    (type) => [type, 2] as const,
  ),
  ['dataFlow', 3],
])

const joinNames = (parts: readonly string[], count: number | undefined): string[] => {
  if (!count || parts.length <= count) return [...parts]
  const end = parts.length - (count - 2)
  return [parts[0]!, parts.slice(1, end).join(','), ...parts.slice(end)]
}

/** DataHub encodes only what has a meaning in URNs: a percent sign may be part of a name. */
const decode = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })

/** The platform of an entity: `urn:li:dataPlatform:snowflake`, or the first part of charts, dashboards and flows. */
export const getPlatform = (urn: string): string | undefined => {
  const [first = ''] = getUrnParts(urn)
  if (first.startsWith('urn:li:dataPlatform:')) return getUrnParts(first)[0]
  return /^urn:li:(chart|dashboard|dataFlow):/.test(urn) ? first : undefined
}

const MAX_NESTING = 50

/**
 * The names from the outermost field inwards. Version 2 paths carry types in brackets: `[version=2.0].[type=struct].a.[type=string].b` is `a`, `b`.
 * Other brackets belong to the name.
 */
export const parseFieldPath = (path: string): string[] => {
  const names: string[] = []
  let [part, depth] = ['', 0]
  for (const character of `${path}.`) {
    if (character === '.' && depth === 0) {
      if (part !== '') names.push(part)
      part = ''
      continue
    }
    if (character === '[' && (depth > 0 || part === '')) depth += 1
    else if (character === ']' && depth > 0) depth -= 1
    part += character
    if (depth === 0 && TYPE_IN_PATH.test(part)) part = ''
  }
  // An unclosed bracket is part of the name.
  if (part !== '') names.push(part.slice(0, -1))
  if (names.length > MAX_NESTING) return [path]
  return names.length > 0 || !path.startsWith('[') ? names : [path]
}

const TYPE_IN_PATH = /^\[(?:version|key|type)=.*\]$/s

/** A column as lineage names it: `urn:li:schemaField:(<dataset>,<path>)`. */
export const parseFieldUrn = (urn: string): { readonly dataset: string; readonly path: string[] } | undefined => {
  if (!urn.startsWith('urn:li:schemaField:')) return undefined
  const [dataset, path] = getUrnParts(urn)
  return dataset && path ? { dataset, path: parseFieldPath(path) } : undefined
}

const RELATIONAL_PLATFORMS = new Set(
  [
    'athena bigquery clickhouse cockroachdb databricks db2 druid dremio glue hana hive iceberg mariadb mssql mysql oracle postgres presto',
    'presto-on-hive redshift singlestore snowflake starburst-trino-usage teradata trino unity-catalog vertica dbt superset',
  ].flatMap((names) => names.split(' ')),
)

/** The database, schema and table of a dataset, as far as its name has them. Other platforms use dots inside of names. */
export const splitDatasetName = (urn: string): string[] => {
  const [, name = urn] = getUrnParts(urn)
  const parts = name.split('.').filter((part) => part !== '')
  if (!RELATIONAL_PLATFORMS.has(getPlatform(urn) ?? '') || parts.length < 2) return [name]
  return parts.length <= 3 ? parts : [parts.slice(0, -2).join('.'), ...parts.slice(-2)]
}
