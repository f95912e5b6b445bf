import { compact, type EventWriter, type Json, toRecords, toText, toUrnPart } from './event-writer.ts'
import { splitName } from './openmetadata-names.ts'

/** Columns and labels of OpenMetadata. Pure. */

export const PRIMARY_KEY = 'PRIMARY_KEY'

/** Tags of classifications, and terms of glossaries. */
export const toLabels = (tags: unknown): { globalTags?: object; glossaryTerms?: object } => {
  const labels = toRecords(tags)
  const of = (isTerm: boolean) =>
    labels.filter(({ source }) => (source === 'Glossary') === isTerm).flatMap(({ tagFQN }) => toText(tagFQN) ?? [])
  const [names, terms] = [of(false), of(true)]
  return {
    ...(names.length > 0 ? { globalTags: { tags: names.map((name) => ({ tag: `urn:li:tag:${toUrnPart(name)}` })) } } : {}),
    ...(terms.length > 0 ? { glossaryTerms: { terms: terms.map((name) => ({ urn: `urn:li:glossaryTerm:${toUrnPart(name)}` })) } } : {}),
  }
}

/** Fields of columns that are converted, or that their type contains. */
const READ_COLUMN_FIELDS = new Set([
  ...['name', 'displayName', 'dataType', 'dataTypeDisplay', 'description', 'constraint', 'tags', 'children', 'fullyQualifiedName'],
  ...['ordinalPosition', 'arrayDataType', 'dataLength', 'precision', 'scale'],
])
const NULLABILITY: ReadonlyMap<unknown, boolean> = new Map([
  ['NULL', true],
  ['NOT_NULL', false],
  [PRIMARY_KEY, false],
])

/** A column with those nested in it. `of` is the name of its table. */
export const toFields = (
  column: Json,
  above: readonly string[],
  keys: ReadonlySet<unknown>,
  { writer, of }: { readonly writer: EventWriter; readonly of: string },
): object[] => {
  const path = [...above, String(column.name)]
  const nullable = NULLABILITY.get(column.constraint)
  writer.reportUnread('column', column, READ_COLUMN_FIELDS)
  if (column.constraint === 'UNIQUE') writer.losses.add('the constraint UNIQUE of each column.')
  if (path.at(-1)!.includes('.')) writer.losses.add(`${of}: the column ${path.at(-1)} is read as nested, because its name has a dot.`)
  return [
    {
      ...compact({
        fieldPath: path.join('.'),
        label: column.displayName,
        nativeDataType: column.dataTypeDisplay ?? column.dataType,
        description: column.description,
        isPartOfKey: column.constraint === PRIMARY_KEY || (above.length === 0 && keys.has(column.name)),
        ...toLabels(column.tags),
      }),
      ...(nullable === undefined ? {} : { nullable }),
    },
    ...toRecords(column.children).flatMap((child) => toFields(child, path, keys, { writer, of })),
  ]
}

/** Foreign keys to tables of the same service. */
export const toForeignKeys = (urn: string, constraints: unknown, writer: EventWriter): object[] =>
  toRecords(constraints).flatMap(({ constraintType, columns, referredColumns }) => {
    if (constraintType === PRIMARY_KEY) return []
    const referred = (Array.isArray(referredColumns) ? referredColumns : []).map((name) => splitName(String(name)))
    if (constraintType !== 'FOREIGN_KEY' || referred.length === 0) {
      writer.losses.add(`the constraint ${constraintType} of each table.`)
      return []
    }
    const platform = /^urn:li:dataset:\((urn:li:dataPlatform:[^,]*),/.exec(urn)![1]
    const foreignDataset = `urn:li:dataset:(${platform},${toUrnPart(referred[0]!.slice(0, -1).join('.'))},PROD)`
    const fieldOf = (dataset: string, name: unknown) => `urn:li:schemaField:(${dataset},${toUrnPart(String(name))})`
    return {
      ...{ name: 'foreign key', foreignDataset, foreignFields: referred.map((name) => fieldOf(foreignDataset, name.at(-1))) },
      sourceFields: (Array.isArray(columns) ? columns : []).map((name) => fieldOf(urn, name)),
    }
  })
