import { lockResourceRows } from '../../catalog/records/resource-rows.ts'
import { editResources } from '../../catalog/resources/edit.ts'
import { findTagIdsByName } from '../../catalog/tags/tag-rows.ts'
import { ensureTags } from '../../catalog/tags/tags.ts'
import { type Context, contextAs, inTransaction } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordActivity } from '../../platform/history/record.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { requirePermission, SYSTEM } from '../../platform/permissions/permissions.ts'
import type { PiiSuggestion, SuggestionQuery } from './pii-schema.ts'
import { findConfidentSuggestions, findPiiSuggestion, listPiiSuggestionRows, saveDecision } from './pii-suggestion-rows.ts'

export const listPiiSuggestions = async (ctx: Context, query: SuggestionQuery, page: PageRequest) => {
  requirePermission(ctx.actor, 'catalog.write')
  return listPiiSuggestionRows(ctx, query, page)
}

export const getPiiSuggestion = async (ctx: Context, id: string): Promise<PiiSuggestion> => {
  const found = await findPiiSuggestion(ctx, id)
  if (!found) throw notFound('suggestion', id)
  return found
}

/** Flags the column as PII, like any edit. Idempotent; a rejected suggestion can be accepted later. */
export const acceptPiiSuggestion = (ctx: Context, id: string): Promise<PiiSuggestion> => decideSuggestion(ctx, id, 'accepted')

/** The column is not suggested again, unless another kind of personal data is detected. A PII flag set by accepting it is removed by users. */
export const rejectPiiSuggestion = (ctx: Context, id: string): Promise<PiiSuggestion> => decideSuggestion(ctx, id, 'rejected')

const decideSuggestion = (ctx: Context, id: string, status: 'accepted' | 'rejected'): Promise<PiiSuggestion> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const found = await findPiiSuggestion(ctx, id, true)
    if (!found) throw notFound('suggestion', id)
    if (found.status === status) return found
    if (status === 'rejected' && found.status === 'accepted' && found.pii)
      throw conflict(translatable('This suggestion was accepted. Remove the PII flag from the column first, then reject it.'))
    await flagColumn({ ...ctx, if_match: undefined }, found, status)
    await saveDecision(ctx, id, status)
    await recordActivity(ctx, {
      activity_type: `pii_suggestion_${status}`,
      resource_id: found.resource_id,
      resource_type: 'column',
      resource_title: found.resource_title,
      integration_id: found.integration_id,
      changes: [{ field: 'status', from: found.status, to: status }],
    })
    return getPiiSuggestion(ctx, id)
  })

/** The kind of personal data is stored as a tag, which lists, filters, facets and exports already support; rejecting it later removes the tag. */
const flagColumn = async (ctx: Context, { resource_id, class: of, status: before }: PiiSuggestion, status: 'accepted' | 'rejected') => {
  if (status === 'rejected' && before !== 'accepted') return
  const name = toTagName(of)
  const row = (await lockResourceRows(ctx.db, ctx.actor, [resource_id])).get(resource_id)
  const tags = row?.tags ?? []
  if (status === 'accepted') {
    const tag = (await ensureTags(ctx, [name])).get(name)!
    return editResources(ctx, [{ id: resource_id, data: { pii: true, tags: [...new Set([...tags, tag])] } }])
  }
  const tag = (await findTagIdsByName(ctx.db, [name])).get(name)
  if (tag && tags.includes(tag)) await editResources(ctx, [{ id: resource_id, data: { tags: tags.filter((each) => each !== tag) } }])
}

const toTagName = (of: PiiSuggestion['class']): string => `PII: ${of.replaceAll('_', ' ')}`

const BATCH_SIZE = 200

/** Accepts suggestions with at least this confidence, by rule. Acts as the system, not as the user who set the rule. Returns how many. */
export const acceptConfidentSuggestions = async (ctx: Context, integration: string, from: number): Promise<number> => {
  let accepted = 0
  for (;;) {
    const ids = await findConfidentSuggestions(ctx, integration, from, BATCH_SIZE)
    await inTransaction(contextAs(ctx, SYSTEM), async (ctx) => {
      for (const id of ids) await acceptPiiSuggestion(ctx, id)
    })
    accepted += ids.length
    if (ids.length < BATCH_SIZE) return accepted
  }
}
