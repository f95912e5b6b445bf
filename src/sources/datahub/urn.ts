/** Reading DataHub's identifiers. Pure. */

/** The parts of `urn:li:dataset:(a,(b,c),d)`: `a`, `(b,c)` and `d`; of `urn:li:tag:x` only `x`. Commas inside parentheses do not separate. */
export const getUrnParts = (urn: string): string[] => {
  const id = urn.split(':').slice(3).join(':')
  if (!id.startsWith('(') || !id.endsWith(')')) return [decode(id)]
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
  return [...parts, id.slice(start, -1)].map((part) => (part.startsWith('urn:') ? part : decode(part)))
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The platform of an entity: `urn:li:dataPlatform:snowflake`, or the first part of charts, dashboards and flows. */
export const getPlatform = (urn: string): string | undefined => {
  const [first = ''] = getUrnParts(urn)
  if (first.startsWith('urn:li:dataPlatform:')) return getUrnParts(first)[0]
  return /^urn:li:(chart|dashboard|dataFlow):/.test(urn) ? first : undefined
}

const MAX_NESTING = 50

/**
 * The names from the outermost field inwards. Version 2 paths carry types in brackets: `[version=2.0].[type=struct].a.[type=string].b` is `a`, `b`.
 */
export const parseFieldPath = (path: string): string[] => {
  const names: string[] = []
  let name = ''
  let inBrackets = 0
  for (const character of `${path}.`) {
    if (character === '[') inBrackets += 1
    else if (character === ']') inBrackets -= 1
    else if (character === '.' && inBrackets <= 0) {
      if (name !== '') names.push(name)
      name = ''
    } else if (inBrackets <= 0) name += character
  }
  if (names.length > MAX_NESTING) return [path]
  return names.length > 0 || !path.startsWith('[') ? names : [path]
}

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
