import type { ItemQuery } from '../../../../connector/src/protocol.ts'

/** The SQL of a view as metastores store it: that of Athena, Presto and Trino is base64 of JSON in a comment, others is plain. Pure. */
export const readViewQuery = (
  schema: string,
  text: string | undefined,
  dialects: { readonly presto: string; readonly other: string },
): ItemQuery | undefined => {
  const trimmed = text?.trim()
  if (!text || !trimmed) return undefined
  const encoded = /^\/\* Presto (?:Materialized )?View: ([A-Za-z0-9+/=]+) \*\/$/.exec(trimmed)?.[1]
  if (encoded === undefined) return trimmed.startsWith('/* Presto') ? undefined : { sql: text, dialect: dialects.other, schema }
  try {
    const { originalSql, schema: inner } = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
    return typeof originalSql === 'string' ? { sql: originalSql, dialect: dialects.presto, schema: String(inner ?? schema) } : undefined
  } catch {
    return undefined
  }
}
