import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { recordEvents } from '../../platform/history/events.ts'
import { excerpt } from '../resources/directed-events.ts'
import type { SuggestedField, SuggestionGround } from './schema.ts'
import { MAX_VALUE_LENGTHS } from './suggestions.ts'

/** A suggestion that Tablinum makes itself. People decide on it like on any other. */
export interface Draft {
  readonly resource: { readonly id: string; readonly entity_type: string; readonly title: string; readonly integration: string | null }
  readonly field: Exclude<SuggestedField, 'owner'>
  readonly value: string
  readonly detail?: string
  readonly grounds: readonly SuggestionGround[]
  /** Resources whose texts it may repeat: only people who see all of them see the draft. */
  readonly based_on: readonly string[]
}

interface EarlierDraft {
  readonly resource_id: string
  readonly field: string
  readonly value: string
  readonly status: string
}

/** Stores the drafts that were not proposed before, and returns how many these are. Owners are not notified: there may be thousands. */
export const addDrafts = (ctx: Context, drafts: readonly Draft[]): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    if (drafts.length === 0) return 0
    const earlier = await findEarlierDrafts(ctx, [...new Set(drafts.map(({ resource }) => resource.id))])
    const added = drafts.filter((draft) => isNew(draft, earlier.get(draft.resource.id) ?? [])).map((draft) => ({ ...draft, id: newId() }))
    if (added.length === 0) return 0
    await ctx.db
      .insertInto('change_suggestions')
      .values(
        added.map(({ id, resource, field, value, detail, grounds, based_on }) => ({
          id,
          resource_id: resource.id,
          field,
          value,
          detail: detail ?? null,
          status: 'open',
          by: 'ai',
          grounds: JSON.stringify(grounds),
          based_on: [...based_on],
          created_by: ctx.actor.user_id,
          created_at: ctx.now,
          updated_at: ctx.now,
        })),
      )
      .execute()
    await recordEvents(
      ctx,
      added.map(({ id, resource, field, value, based_on }) => ({
        kind: 'change_suggested',
        resource: { id: resource.id, type: resource.entity_type, title: resource.title, integration_id: resource.integration },
        ...(based_on.length > 0 && { related: { type: 'resource', ids: based_on } }), // who may read the text
        payload: { suggestion: id, field, value: excerpt(value), reason: null },
      })),
    )
    return added.length
  })

const findEarlierDrafts = async ({ db }: Context, ids: readonly string[]): Promise<Map<string, EarlierDraft[]>> => {
  const { rows } = await sql<EarlierDraft>`
    select s.resource_id, s.field, s.value, s.status from change_suggestions s where s.by = 'ai' and s.resource_id = any(${ids}::uuid[])`.execute(
    db,
  )
  return Map.groupBy(rows, ({ resource_id }) => resource_id)
}

/**
 * A resource has one open draft of its description. A rejected description is not proposed again in other words; only another column upstream,
 * which is a new fact, is a reason to propose one.
 */
const isNew = ({ field, value, grounds }: Draft, earlier: readonly EarlierDraft[]): boolean => {
  const max = MAX_VALUE_LENGTHS[field]
  if (value.trim() === '' || (max !== undefined && value.length > max)) return false
  const same = earlier.filter((each) => each.field === field)
  if (field !== 'description') return !same.some((each) => each.value.toLowerCase() === value.toLowerCase())
  if (same.some((each) => each.status === 'open' || each.value === value)) return false
  return grounds[0]?.type === 'lineage' || !same.some((each) => each.status === 'rejected')
}
