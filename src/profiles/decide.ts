import { mustBeAble, SYSTEM } from '../access/permissions.ts'
import { actingAs, type Context, inTransaction } from '../context.ts'
import { conflict, notFound } from '../errors.ts'
import { recordActivity } from '../history/record.ts'
import type { PageRequest } from '../lists/page.ts'
import { editResources } from '../resources/edit.ts'
import { lockRows } from '../resources/store.ts'
import { findIds } from '../tags/store.ts'
import { ensureTags } from '../tags/tags.ts'
import type { PiiSuggestion, SuggestionQuery } from './pii-schema.ts'
import { findSuggestion, findSure, listSuggestionRows, noteDecided } from './store.ts'

export const listSuggestions = async (ctx: Context, query: SuggestionQuery, page: PageRequest) => {
  mustBeAble(ctx.actor, 'catalog.write')
  return listSuggestionRows(ctx, query, page)
}

export const readSuggestion = async (ctx: Context, id: string): Promise<PiiSuggestion> => {
  const found = await findSuggestion(ctx, id)
  if (!found) throw notFound('suggestion', id)
  return found
}

/** Flags the column as PII, like any edit. Idempotent; a rejected suggestion can be accepted later. */
export const acceptSuggestion = (ctx: Context, id: string): Promise<PiiSuggestion> => decide(ctx, id, 'accepted')

/** The column is not suggested again, unless another kind of personal data is detected. A PII flag set by accepting it is removed by users. */
export const rejectSuggestion = (ctx: Context, id: string): Promise<PiiSuggestion> => decide(ctx, id, 'rejected')

const decide = (ctx: Context, id: string, status: 'accepted' | 'rejected'): Promise<PiiSuggestion> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const found = await findSuggestion(ctx, id, true)
    if (!found) throw notFound('suggestion', id)
    if (found.status === status) return found
    if (status === 'rejected' && found.status === 'accepted' && found.pii)
      throw conflict('This suggestion was accepted. Remove the PII flag from the column first, then reject it.')
    await markColumn({ ...ctx, if_match: undefined }, found, status)
    await noteDecided(ctx, id, status)
    await recordActivity(ctx, {
      activity_type: `pii_suggestion_${status}`,
      resource_id: found.resource_id,
      resource_type: 'column',
      resource_title: found.resource_title,
      integration_id: found.integration_id,
      changes: [{ field: 'status', from: found.status, to: status }],
    })
    return readSuggestion(ctx, id)
  })

/** The kind of personal data is stored as a tag, which lists, filters, facets and exports already support; rejecting it later removes the tag. */
const markColumn = async (ctx: Context, { resource_id, class: of, status: before }: PiiSuggestion, status: 'accepted' | 'rejected') => {
  if (status === 'rejected' && before !== 'accepted') return
  const name = tagOf(of)
  const row = (await lockRows(ctx.db, ctx.actor, [resource_id])).get(resource_id)
  const tags = row?.tags ?? []
  if (status === 'accepted') {
    const tag = (await ensureTags(ctx, [name])).get(name)!
    return editResources(ctx, [{ id: resource_id, data: { pii: true, tags: [...new Set([...tags, tag])] } }])
  }
  const tag = (await findIds(ctx.db, [name])).get(name.toLowerCase())
  if (tag && tags.includes(tag)) await editResources(ctx, [{ id: resource_id, data: { tags: tags.filter((each) => each !== tag) } }])
}

const tagOf = (of: PiiSuggestion['class']): string => `PII: ${of.replaceAll('_', ' ')}`

const AT_ONCE = 200

/** Accepts suggestions with at least this confidence, by rule. Acts as the system, not as the user who set the rule. Returns how many. */
export const acceptSure = async (ctx: Context, integration: string, from: number): Promise<number> => {
  let accepted = 0
  for (;;) {
    const ids = await findSure(ctx, integration, from, AT_ONCE)
    await inTransaction(actingAs(ctx, SYSTEM), async (ctx) => {
      for (const id of ids) await acceptSuggestion(ctx, id)
    })
    accepted += ids.length
    if (ids.length < AT_ONCE) return accepted
  }
}
