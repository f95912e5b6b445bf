import { compact, type Json, toRecords, toText, toUrnPart } from './event-writer.ts'

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

export const toFields = (column: Json, above: readonly string[], keys: ReadonlySet<unknown>): object[] => {
  const path = [...above, String(column.name)]
  return [
    compact({
      fieldPath: path.join('.'),
      label: column.displayName,
      nativeDataType: column.dataTypeDisplay ?? column.dataType,
      description: column.description,
      isPartOfKey: column.constraint === PRIMARY_KEY || (above.length === 0 && keys.has(column.name)),
      ...toLabels(column.tags),
    }),
    ...toRecords(column.children).flatMap((child) => toFields(child, path, keys)),
  ]
}
