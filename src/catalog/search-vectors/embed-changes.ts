import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { type EmbeddingsClient, EmbeddingsError } from './embeddings-client.ts'
import type { CompactVector } from './vectors.ts'

/**
 * Embeds what has changed, after the commits. Runs every minute, one run at a time in all processes. A change is removed from the list in the
 * transaction that stores its vector, so that a run continues where the last one stopped.
 */
const RUN_MS = 50_000
const MAX_BATCH = 64 // texts in one request; common servers accept so many
const FIRST_PAUSE_MS = 1_000 // after a failure without `Retry-After`; doubled each time

const MAX_WAITING_CHANGES = 100_000

type OnError = (error: unknown, what: string) => void

export const embedChanges = async (ctx: Context, onError: OnError): Promise<void> => {
  const client = ctx.runtime.embeddings
  if (!client) return deleteAbandonedVectors(ctx)
  await setModel(ctx, client.model)
  const end = performance.now() + RUN_MS
  let pause = FIRST_PAUSE_MS
  while (performance.now() < end)
    try {
      if (!(await embedBatch(ctx, client, onError))) return
      pause = FIRST_PAUSE_MS
    } catch (error) {
      if (!(error instanceof EmbeddingsError && error.isTemporary)) throw error
      const wait = error.after_ms ?? pause
      pause *= 2
      if (performance.now() + wait >= end) throw error
      await sleep(wait)
    }
}

/** A process without a service leaves the vectors to those with one, unless so many changes wait that there is none. */
const deleteAbandonedVectors = async (ctx: Context): Promise<void> => {
  const { rows } = await sql<{ many: boolean }>`
    select exists (select from search_vector_changes offset ${sql.lit(MAX_WAITING_CHANGES)} limit 1) as many
  `.execute(ctx.db)
  if (rows[0]!.many) await setModel(ctx, undefined)
}

/** With another model all vectors are computed again, without one they are deleted. */
const setModel = async (ctx: Context, model: string | undefined): Promise<void> => {
  const current = await ctx.db.selectFrom('search_vector_model').select('model').executeTakeFirst()
  if (current?.model === model) return
  await inTransaction(ctx, async ({ db }) => {
    await db.deleteFrom('search_vector_model').execute()
    await db.deleteFrom('search_vectors').execute()
    await db.deleteFrom('search_vector_changes').execute()
    if (model === undefined) return
    await db.insertInto('search_vector_model').values({ model }).execute()
    await sql`insert into search_vector_changes (resource_id) select resource_id from search_context`.execute(db)
  })
}

/** Hourly: transactions that were open when the model was set have noted nothing. */
export const queueMissingVectors = async ({ db, runtime }: Context): Promise<void> => {
  if (!runtime.embeddings) return
  await sql`
    insert into search_vector_changes (resource_id)
    select c.resource_id from search_context c where not exists (select from search_vectors v where v.resource_id = c.resource_id)
  `.execute(db)
}

interface ChangedText {
  readonly id: string
  readonly text: string
  readonly hash: string
}

/** False if nothing is left to embed. */
const embedBatch = async (ctx: Context, client: EmbeddingsClient, onError: OnError): Promise<boolean> => {
  const changes = await ctx.db.selectFrom('search_vector_changes').selectAll().orderBy('id').limit(MAX_BATCH).execute()
  if (changes.length === 0) return false
  const texts = await loadChangedTexts(ctx, [...new Set(changes.map(({ resource_id }) => resource_id))])
  const embedded = texts.length === 0 ? [] : await embedTexts(client, texts, onError)
  await inTransaction(ctx, async ({ db }) => {
    await saveVectors({ ...ctx, db }, client.model, embedded)
    await sql`delete from search_vector_changes where id = any(${changes.map(({ id }) => id)}::bigint[])`.execute(db)
  })
  return true
}

/** What is sent to the service: names and descriptions, never values. Long texts are cut, because models read only their beginning. */
const loadChangedTexts = async ({ db }: Context, ids: readonly string[]): Promise<ChangedText[]> => {
  const { rows } = await sql<ChangedText>`
    select t.id, t.text, md5(t.text) as hash from (
      select r.id, concat_ws(E'\n', replace(r.entity_type, '_', ' ') || ': ' || translate(r.title, '_.', '  '), r.title_full, left(r.description, 600),
        'columns: ' || left(parts.names, 400), left(r.definition, 400)) as text
      from resources r cross join lateral (
        select string_agg(c.title, ', ' order by c.id) as names from resources c where c.parent = r.id and is_part_of_parent(c.entity_type)
      ) parts
      where r.id = any(${ids}::uuid[]) and not is_part_of_parent(r.entity_type)
    ) t
    where not exists (select from search_vectors v where v.resource_id = t.id and v.text_hash = md5(t.text))
  `.execute(db)
  return rows
}

/** A rejected batch is halved until the rejected text is found. That resource is left out, so that it does not hold up the others. */
const embedTexts = async (
  client: EmbeddingsClient,
  texts: readonly ChangedText[],
  onError: OnError,
): Promise<(ChangedText & CompactVector)[]> => {
  try {
    const vectors = await client.embed(texts.map(({ text }) => text))
    return texts.map((text, i) => ({ ...text, ...vectors[i]! }))
  } catch (error) {
    if (!(error instanceof EmbeddingsError && error.isRejected)) throw error
    if (texts.length === 1) {
      onError(error, `embedding of resource ${texts[0]!.id}`)
      return []
    }
    const half = Math.ceil(texts.length / 2)
    return [...(await embedTexts(client, texts.slice(0, half), onError)), ...(await embedTexts(client, texts.slice(half), onError))]
  }
}

/** Only for resources that still exist, and while this model is still the one in use. Signs of different lengths cannot be compared. */
const saveVectors = async ({ db }: Context, model: string, embedded: readonly (ChangedText & CompactVector)[]): Promise<void> => {
  const dimensions = embedded[0]?.bytes.length
  if (dimensions === undefined) return
  const { rows } = await sql<{ dimensions: number }>`
    update search_vector_model set dimensions = coalesce(dimensions, ${dimensions}) where model = ${model} returning dimensions`.execute(db)
  if (rows[0] && rows[0].dimensions !== dimensions)
    throw new EmbeddingsError(`The vectors of the embeddings service have ${dimensions} dimensions instead of ${rows[0].dimensions}.`, 422)
  await sql`
    insert into search_vectors (resource_id, text_hash, vector, signs)
    select e.id, e.hash, e.vector, e.signs
    from unnest(${embedded.map(({ id }) => id)}::uuid[], ${embedded.map(({ hash }) => hash)}::text[],
      ${embedded.map(({ bytes }) => Buffer.from(bytes.buffer))}::bytea[], ${embedded.map(({ signs }) => signs)}::varbit[]) e (id, hash, vector, signs)
      join resources r on r.id = e.id join search_vector_model m on m.model = ${model}
    on conflict (resource_id) do update set text_hash = excluded.text_hash, vector = excluded.vector, signs = excluded.signs
  `.execute(db)
}
