import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context/context.ts'
import type { Db } from '../db/connect.ts'
import type { Change } from './record.ts'

/**
 * Long texts of versions are stored once per resource in `history_texts`: the text after one autosave is the text before the next. A change
 * holds only the beginning of each text, which is enough for its sentence, and the hash of the full text.
 */
export interface StoredChange extends Change {
  readonly from_text?: string
  readonly to_text?: string
}

/** A full record stored with a version; long texts are replaced by their hash. */
export interface StoredSnapshot {
  readonly fields: Readonly<Record<string, unknown>>
  readonly texts: Readonly<Record<string, string>>
}

/** Stored for the restore of a deleted resource; never returned by the API. */
export const PRIVATE_FIELD = 'bookmarked_by'

const LONG_TEXT_LENGTH = 1000 // characters; shorter texts stay in the row
const SHORT_TEXT_LENGTH = 500

/** Collects the distinct texts of one transaction. */
export class TextStore {
  readonly #texts = new Map<string, { readonly resource_id: string; readonly hash: string; readonly text: string }>()

  get isEmpty(): boolean {
    return this.#texts.size === 0
  }

  /** The stored form of the changes. */
  storeChanges(resource_id: string, changes: readonly Change[]): readonly StoredChange[] {
    if (!changes.some(({ from, to }) => isLong(from) || isLong(to))) return changes
    return changes.map((change) => ({
      ...change,
      ...(isLong(change.from) ? { from: shortenText(change.from), from_text: this.#add(resource_id, change.from) } : {}),
      ...(isLong(change.to) ? { to: shortenText(change.to), to_text: this.#add(resource_id, change.to) } : {}),
    }))
  }

  storeSnapshot(resource_id: string, snapshot: Readonly<Record<string, unknown>>): StoredSnapshot {
    const entries = Object.entries(snapshot)
    return {
      fields: Object.fromEntries(entries.filter(([, value]) => !isLong(value))),
      texts: Object.fromEntries(entries.flatMap(([field, value]) => (isLong(value) ? [[field, this.#add(resource_id, value)]] : []))),
    }
  }

  async write(db: Db): Promise<void> {
    const texts = [...this.#texts.values()]
    if (texts.length === 0) return
    await sql`
      insert into history_texts (resource_id, hash, text)
      select * from unnest(${texts.map((each) => each.resource_id)}::uuid[], ${texts.map(({ hash }) => hash)}::text[], ${texts.map(({ text }) => text)}::text[])
      on conflict do nothing
    `.execute(db)
  }

  #add(resource_id: string, text: string): string {
    const hash = createHash('sha256').update(text).digest('base64url')
    this.#texts.set(`${resource_id} ${hash}`, { resource_id, hash, text })
    return hash
  }
}

const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > LONG_TEXT_LENGTH

/** Never splits a surrogate pair: Postgres rejects half of one as invalid JSON. */
const shortenText = (text: string): string => {
  const last = text.charCodeAt(SHORT_TEXT_LENGTH - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? SHORT_TEXT_LENGTH - 1 : SHORT_TEXT_LENGTH)
}

/** The texts of a resource with these hashes. */
export const findTexts = async (db: Db, resource_id: string, hashes: readonly string[]): Promise<Map<string, string>> => {
  if (hashes.length === 0) return new Map()
  const { rows } = await sql<{ hash: string; text: string }>`
    select t.hash, t.text from history_texts t where t.resource_id = ${resource_id} and t.hash = any(${hashes}::text[])
  `.execute(db)
  return new Map(rows.map(({ hash, text }) => [hash, text]))
}

const MAX_TEXT_BYTES_PER_PAGE = 4_000_000 // bytes of long texts in one response

/** A change as returned by the API; `shortened` if it holds only the beginning of a text. */
export type PublicChange = Change & { readonly shortened?: true }

/**
 * Adds the full texts to the changes of a page, in order, up to a total size, so that a page of a thousand versions of a large document stays
 * readable. Changes beyond that stay shortened; each version can be read in full.
 */
export const withTexts = async <T extends { readonly resource_id: string | null; readonly changes: readonly StoredChange[] | null }>(
  ctx: Context,
  rows: readonly T[],
): Promise<(T & { changes: PublicChange[] | null })[]> => {
  const references = rows.flatMap(({ resource_id, changes }) =>
    (changes ?? []).flatMap(({ from_text, to_text }) => [to_text, from_text].flatMap((hash) => (hash ? [{ resource_id, hash }] : []))),
  )
  const texts = references.length === 0 ? new Map<string, string>() : await findTextsOfPage(ctx, references)
  return rows.map((row) => ({
    ...row,
    changes: row.changes?.map((change) => toPublicChange(change, (hash) => texts.get(`${row.resource_id} ${hash}`))) ?? null,
  }))
}

const findTextsOfPage = async (
  ctx: Context,
  references: readonly { resource_id: string | null; hash: string }[],
): Promise<Map<string, string>> => {
  const distinct = [...new Map(references.map((each) => [`${each.resource_id} ${each.hash}`, each])).values()]
  // octet_length does not read the stored text.
  const { rows } = await sql<{ resource_id: string; hash: string; text: string }>`
    select s.resource_id, s.hash, t.text from (
      select t.resource_id, t.hash, sum(octet_length(t.text)) over (order by w.n) as bytes
      from unnest(${distinct.map((each) => each.resource_id)}::uuid[], ${distinct.map(({ hash }) => hash)}::text[]) with ordinality as w(resource_id, hash, n)
        join history_texts t on t.resource_id = w.resource_id and t.hash = w.hash
    ) s join history_texts t on t.resource_id = s.resource_id and t.hash = s.hash
    where s.bytes <= ${sql.lit(MAX_TEXT_BYTES_PER_PAGE)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ resource_id, hash, text }) => [`${resource_id} ${hash}`, text]))
}

/** The change without hashes, and with the full texts if available. */
export const toPublicChange = (
  { from_text, to_text, ...change }: StoredChange,
  find: (hash: string) => string | undefined,
): PublicChange => {
  if (!from_text && !to_text) return change
  const [from, to] = [from_text && find(from_text), to_text && find(to_text)]
  const shortened = (from_text && from === undefined) || (to_text && to === undefined)
  return { ...change, ...(from ? { from } : {}), ...(to ? { to } : {}), ...(shortened ? { shortened: true } : {}) }
}

/** SQL of an entry's changes (under this alias) with all full texts, for exports written by the database. */
export const fullChangesSql = (alias: string): RawBuilder<unknown> => {
  const [changes, resource_id] = [sql.ref(`${alias}.changes`), sql.ref(`${alias}.resource_id`)]
  const side = (name: 'from' | 'to') => sql`
    case when c.change ? ${sql.lit(`${name}_text`)} then jsonb_build_object(${sql.lit(name)}::text, (
      select t.text from history_texts t where t.resource_id = ${resource_id} and t.hash = c.change ->> ${sql.lit(`${name}_text`)}
    )) else '{}' end`
  return sql`
    case when jsonb_path_exists(${changes}, ${sql.lit(`$[*] ? (exists (@.from_text) || exists (@.to_text) || @.field == "${PRIVATE_FIELD}")`)}) then (
      select jsonb_agg((c.change || ${side('from')} || ${side('to')}) - 'from_text' - 'to_text' order by c.n)
      from jsonb_array_elements(${changes}) with ordinality as c(change, n)
      where c.change ->> 'field' <> ${sql.lit(PRIVATE_FIELD)}
    ) else ${changes} end`
}
