import { sql } from 'kysely'
import { type Context, inTransaction } from '../context.ts'
import { editResources, type ResourceEdition } from '../resources/edit.ts'
import { flat } from '../resources/own-fields.ts'
import { holdRows } from '../resources/report.ts'
import { markStale } from '../resources/stale.ts'
import { type Fields, same } from './merge.ts'
import { noteArchived, noteGone } from './store.ts'

/** A resource that a secondary source reported on its own, and the resource of the primary source that replaces it. */
export interface Twin {
  readonly key: string
  /** Undefined: it is archived without a replacement to merge into. */
  readonly id?: string | undefined
}

/** Fields edited by users that a source does not report. */
const PEOPLES = ['description', 'definition', 'owners', 'owners_groups', 'tags', 'collections', 'pii', 'verified'] as const
const BATCH = 1000

/**
 * A warehouse was connected after a secondary source had already reported its tables: the warehouse's resources are the primary ones from now
 * on. Where the duplicates are missing from their own source, user edits are copied once to empty fields of the primary resource, and the
 * duplicates are archived immediately so that lists do not show both.
 */
export const handOver = async (ctx: Context, integration: string, twins: readonly Twin[]): Promise<number> => {
  let handed = 0
  for (let i = 0; i < twins.length; i += BATCH) handed += await handSome(ctx, integration, twins.slice(i, i + BATCH))
  return handed
}

/** The same for resources that no source reports as missing: having a primary resource is enough. */
export const giveUp = async (ctx: Context, integration: string, twins: readonly Twin[]): Promise<void> => {
  if (twins.length === 0) return
  const { rows } = await sql<{ resource_id: string }>`
    select o.resource_id from resource_origins o
    where o.integration = ${integration} and o.key = any(${twins.map(({ key }) => key)}::text[]) and o.gone_at is null
  `.execute(ctx.db)
  if (rows.length === 0) return
  const ids = rows.map(({ resource_id }) => resource_id)
  await markStale(ctx, ids, true)
  await noteGone(ctx.db, ids, ctx.now)
  await handOver(ctx, integration, twins)
}

const handSome = (ctx: Context, integration: string, twins: readonly Twin[]): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ key: string; resource_id: string; said: Fields }>`
      select o.key, o.resource_id, o.said from resource_origins o join resources r on r.id = o.resource_id
      where o.integration = ${integration} and o.key = any(${twins.map(({ key }) => key)}::text[]) and o.gone_at is not null and not r.archived
    `.execute(ctx.db)
    if (rows.length === 0) return 0
    const heirs = new Map(twins.map(({ key, id }) => [key, id]))
    const held = await holdRows(ctx, [
      ...rows.map(({ resource_id }) => resource_id),
      ...[...heirs.values()].filter((id) => id !== undefined),
    ])
    const edits = rows.flatMap(({ key, resource_id, said }): ResourceEdition[] => {
      const [own, heir] = [held.get(resource_id), held.get(heirs.get(key) ?? '')]
      const gone = { id: resource_id, data: { archived: true } }
      if (!own || !heir) return [gone]
      const [words, there] = [flat(own) as Fields, flat(heir) as Fields]
      const peoples = PEOPLES.filter((field) => !same(words[field], said[field]) && same(there[field], null))
      if (peoples.length === 0) return [gone]
      return [{ id: heir.id, data: Object.fromEntries(peoples.map((field) => [field, words[field] ?? null])) }, gone]
    })
    await editResources(ctx, edits)
    await noteArchived(
      ctx.db,
      rows.map(({ resource_id }) => resource_id),
    )
    return rows.length
  })
