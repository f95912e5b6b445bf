import type { Shape } from '../../../../connector/src/shape.ts'

/** What a question of Metabase queries. Pure. */
export interface NativeQuery {
  readonly sql: string
  /** Questions that the SQL includes as `{{#12}}`. */
  readonly cards: readonly number[]
}

export interface StructuredQuery {
  readonly tables: readonly number[]
  readonly cards: readonly number[]
  /** Of any of the tables. */
  readonly fields: readonly number[]
}

/** The SQL of a native question, if it is one. Since version 57 a query is a list of stages. What is no text is not SQL, e.g. a pipeline of MongoDB. */
export const readNativeQuery = (dataset_query: Shape): NativeQuery | undefined => {
  const [stage] = dataset_query.optionalList('stages')
  const native = stage ?? dataset_query.optionalObject('native')
  const sql = native?.at(stage ? 'native' : 'query').value
  return native && typeof sql === 'string' ? toNativeQuery(sql, native.optionalObject('template-tags')) : undefined
}

const CARD_TAG = /\{\{\s*#(\d+)[^}]*\}\}/g

const toNativeQuery = (sql: string, tags: Shape | undefined): NativeQuery => {
  const types = (tags?.value ?? {}) as Record<string, { type?: unknown } | undefined>
  const text = sql
    .replace(/\[\[.*?\]\]/gs, '') // optional parts, which are left out without a value
    .replace(/\{\{\s*(?!#)([^}]*?)\s*\}\}/g, (_, name: string) => (types[name]?.type === 'dimension' ? '1 = 1' : 'null'))
  return { sql: text, cards: [...text.matchAll(CARD_TAG)].map(([, id]) => Number(id)) }
}

/** Puts the SQL of included questions in their place. Undefined if one of them is not SQL. */
export const inlineCards = ({ sql }: NativeQuery, sqlOfCard: ReadonlyMap<number, string | undefined>): string | undefined => {
  let complete = true
  const text = sql.replace(CARD_TAG, (_, id: string) => {
    const inner = sqlOfCard.get(Number(id))
    if (inner === undefined) complete = false
    return `(${inner ?? 'select null'})`
  })
  return complete ? text : undefined
}

/** The tables, questions and fields a question made in the editor names, at any depth. */
export const readStructuredQuery = (dataset_query: Shape): StructuredQuery => {
  const tables = new Set<number>()
  const cards = new Set<number>()
  const fields = new Set<number>()
  const addSource = (source: unknown): void => {
    if (typeof source === 'number') tables.add(source)
    const [, card] = /^card__(\d+)$/.exec(String(source)) ?? []
    if (card) cards.add(Number(card))
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      // ["field", 131, {…}]; since version 57 ["field", {…}, 131].
      if (value[0] === 'field') for (const part of value.slice(1)) if (typeof part === 'number') fields.add(part)
      for (const each of value) visit(each)
    } else if (value !== null && typeof value === 'object')
      for (const [name, each] of Object.entries(value)) {
        if (name === 'source-table') addSource(each)
        if (name === 'source-card' && typeof each === 'number') cards.add(each)
        visit(each)
      }
  }
  visit(dataset_query.value)
  return { tables: [...tables], cards: [...cards], fields: [...fields] }
}
