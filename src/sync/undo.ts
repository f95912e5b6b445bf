import { sql } from 'kysely'
import { type Context, inTransaction } from '../context.ts'
import type { Change } from '../history/record.ts'
import { wholeChanges } from '../history/texts.ts'
import { newId } from '../id.ts'
import type { Report } from '../jobs/run.ts'
import { editResources, type ResourceEdition } from '../resources/edit.ts'
import { flat, ownNames } from '../resources/own-fields.ts'
import { removeTrees } from '../resources/remove.ts'
import { holdRows } from '../resources/report.ts'
import { markStale } from '../resources/stale.ts'
import { alone } from './alone.ts'
import { same } from './merge.ts'
import type { Outcome, SyncReport } from './report.ts'

/** A finished sync and when it started. */
export interface Past {
  readonly id: string
  readonly integration: string
  readonly started_at: string
}

const AT_ONCE = 500

/**
 * Undoes a sync by its activities, newest first: each field that still has the value the sync wrote is reset to its previous value, and resources
 * the sync created are deleted, unless a user edited them or added something below them. Reset values count as edited by a user.
 */
export const undoSync = (ctx: Context, sync: Past, report: Report): Promise<void> =>
  alone(ctx, sync.integration, async () => {
    let [restored, removed] = [0, 0]
    for (let after: Position = NEWEST; ; ) {
      const entries = await nextEntries(ctx, sync, after)
      if (entries.length === 0) break
      restored += await restore(ctx, entries)
      after = entries.at(-1)!
      await report(40)
    }
    for (;;) {
      const ids = await findUntouched(ctx, sync)
      if (ids.length === 0) break
      removed += await remove(ctx, ids)
      await report(70)
    }
    await report(99, await undoneInWords(ctx, sync, restored, removed))
  })

/** What was undone and what stays: together they add up to what the sync reported. */
const undoneInWords = async (ctx: Context, { id }: Past, restored: number, removed: number): Promise<string> => {
  const sync = await ctx.db.selectFrom('integration_syncs').select('report').where('id', '=', id).executeTakeFirst()
  const counts = (sync?.report ?? {}) as Partial<SyncReport>
  const total = (...outcomes: Outcome[]) =>
    outcomes.flatMap((outcome) => Object.values(counts[outcome] ?? {})).reduce((sum, n) => sum + n, 0)
  const n = (count: number) => count.toLocaleString('en')
  const resources = (count: number) => `${n(count)} ${count === 1 ? 'resource' : 'resources'}`
  const [made, facts] = [total('new'), total('facts', 'changed', 'back')]
  return [
    `Undone: ${resources(restored)} restored, ${n(removed)} deleted.`,
    ...(made > removed
      ? [`${n(made - removed)} of the new resources stay because users have edited them or added something below them.`]
      : []),
    ...(facts > 0
      ? [
          `Facts that only the source knows (keys, indexes, row counts, sizes, usage and its own IDs) were not reset on up to ${resources(facts)}.`,
        ]
      : []),
  ].join(' ')
}

interface Position {
  readonly logged_at: string
  readonly id: string
}
interface Entry extends Position {
  readonly resource_id: string
  readonly changes: readonly Change[]
}
const NEWEST: Position = { logged_at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** The activities of a sync. Limited by start time, because there is no index on the related resource. */
const OF = ({ id, started_at }: Past) => sql`
  a.performer_type = 'INTEGRATION' and a.logged_at >= ${started_at}::timestamptz and a.related_resource_type = 'sync' and a.related_resource_ids = array[${id}::uuid]`

const nextEntries = async (ctx: Context, sync: Past, { logged_at, id }: Position): Promise<Entry[]> => {
  const { rows } = await sql<Entry>`
    select a.id, a.logged_at::text as logged_at, a.resource_id, ${wholeChanges('a')} as changes from activities a
    where ${OF(sync)} and (a.logged_at, a.id) < (${logged_at}::timestamptz, ${id}::uuid) and a.activity_type like '%\\_updated' and a.version is not null
    order by a.logged_at desc, a.id desc limit ${sql.lit(AT_ONCE)}
  `.execute(ctx.db)
  return rows
}

const restore = (ctx: Context, entries: readonly Entry[]): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const rows = await holdRows(ctx, [...new Set(entries.map(({ resource_id }) => resource_id))])
    const held = new Map([...rows].map(([id, row]) => [id, { ...flat(row) } as Record<string, unknown>]))
    const back = new Map<string, Record<string, unknown>>()
    for (const { resource_id, changes } of entries)
      for (const { field, from, to } of changes) {
        const now = held.get(resource_id)
        if (!now || !same(now[field], to)) continue
        now[field] = from
        back.set(resource_id, { ...back.get(resource_id), [field]: from })
      }
    for (const stale of [true, false])
      await markStale(
        ctx,
        [...back].flatMap(([id, fields]) => ('stale' in fields && (fields.stale ?? false) === stale ? [id] : [])),
        stale,
      )
    const edits = [...back].flatMap(([id, fields]) => editionOf(id, rows.get(id)!.entity_type, fields))
    if (edits.length > 0) await editResources(ctx, edits)
    return back.size
  })

const editionOf = (id: string, entity_type: string, { stale: _, ...fields }: Record<string, unknown>): ResourceEdition[] => {
  const own = new Set(ownNames(entity_type))
  const split = (isOwn: boolean) => Object.fromEntries(Object.entries(fields).filter(([field]) => own.has(field) === isOwn))
  return Object.keys(fields).length === 0 ? [] : [{ id, data: split(false), own: split(true) }]
}

/** Created by the sync, with nothing below it and no edits by users. From the leaves up. */
const findUntouched = async (ctx: Context, sync: Past): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.id from activities a join resources r on r.id = a.resource_id
    where ${OF(sync)} and a.activity_type like '%\\_created' and r.children_count = 0
      and not exists (select from activities p where p.resource_id = r.id and p.performer_type <> 'INTEGRATION')
    order by a.logged_at desc, a.id desc limit ${sql.lit(AT_ONCE)}
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}

const remove = (ctx: Context, ids: readonly string[]): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    await removeTrees(ctx, ids, newId())
    return ids.length
  })
