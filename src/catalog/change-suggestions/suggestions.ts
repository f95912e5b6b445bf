import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, invalid, notFound } from '../../platform/core/errors.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { type Activity, recordActivity } from '../../platform/history/record.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { findTermByTitle } from '../glossary/terms.ts'
import { findResourceRow } from '../records/resource-rows.ts'
import { createResource } from '../resources/create.ts'
import { excerpt, findVisibleOwners } from '../resources/directed-events.ts'
import { editResources } from '../resources/edit.ts'
import { ensureTags } from '../tags/tags.ts'
import type {
  ChangeSuggestion,
  ChangeSuggestionCreate,
  ChangeSuggestionEdit,
  ChangeSuggestionQuery,
  SuggestedField,
  SuggestionAuthor,
} from './schema.ts'
import {
  countOpenSuggestions,
  findBasedOnIds,
  findSameSuggestion,
  findSuggestionRow,
  findUserId,
  insertSuggestion,
  listSuggestionRows,
  updateDecision,
  updateSuggestion,
} from './store.ts'

/** Suggested changes: anyone can suggest one, and people who can edit the resource accept or reject it. Nothing is changed before. */

/** So that a runaway agent cannot bury the others. */
const MAX_OPEN_SUGGESTIONS = 500

export const listChangeSuggestions = (ctx: Context, query: ChangeSuggestionQuery, page: PageRequest) => listSuggestionRows(ctx, query, page)

export const getChangeSuggestion = async (ctx: Context, id: string): Promise<ChangeSuggestion> => {
  const found = await findSuggestionRow(ctx, id)
  if (!found) throw notFound('suggestion', id)
  return found
}

/** Suggesting the same again returns the open suggestion. The owners of the resource are notified. */
export const suggestChange = (ctx: Context, create: ChangeSuggestionCreate, by: SuggestionAuthor = 'user'): Promise<ChangeSuggestion> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'questions.ask')
    const resource_id = create.resource_id ? parseId(create.resource_id)! : undefined
    if (!resource_id && create.field !== 'term') throw invalid({ resource_id: [translatable('is required.')] })
    if (create.field !== 'term' && create.detail) throw invalid({ detail: [translatable('is only for terms.')] })
    checkLength(create.field, create.value)
    const resource = resource_id === undefined ? undefined : await findResourceRow(ctx.db, ctx.actor, resource_id)
    if (resource_id && !resource) throw notFound('resource', resource_id)
    const suggestion = { ...create, resource_id, value: create.field === 'description' ? create.value : create.value.trim() }
    const same = await findSameSuggestion(ctx, suggestion)
    if (same) return getChangeSuggestion(ctx, same)
    if ((await countOpenSuggestions(ctx)) >= MAX_OPEN_SUGGESTIONS)
      throw conflict(
        translatable('You have {max} open suggestions. Wait until people have decided on them.', { max: MAX_OPEN_SUGGESTIONS }),
      )
    const id = newId()
    await insertSuggestion(ctx, id, suggestion, by)
    await recordEvent(ctx, {
      kind: 'change_suggested',
      resource: resource
        ? { id: resource.id, type: resource.entity_type, title: resource.title, icon: resource.icon, integration_id: resource.integration }
        : { type: 'glossary' },
      recipients: resource ? await findVisibleOwners(ctx, resource) : [],
      payload: { suggestion: id, field: create.field, value: excerpt(suggestion.value), reason: create.reason ?? null },
    })
    return getChangeSuggestion(ctx, id)
  })

export const MAX_VALUE_LENGTHS: Partial<Record<SuggestedField, number>> = { tag: 200, term: 500 }

const checkLength = (field: SuggestedField, value: string): void => {
  const max = MAX_VALUE_LENGTHS[field]
  if (max !== undefined && value.trim().length > max)
    throw invalid({ value: [translatable('must have at most {max} characters.', { max })] })
}

const assertOpen = ({ status }: { readonly status: string }): void => {
  if (status === 'accepted') throw conflict(translatable('This suggestion has already been accepted.'))
  if (status !== 'open') throw conflict(translatable('This suggestion has already been rejected.'))
}

/** Changes an open suggestion before it is accepted. */
export const editChangeSuggestion = (ctx: Context, id: string, edit: ChangeSuggestionEdit): Promise<ChangeSuggestion> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const before = await findSuggestionRow(ctx, id, true)
    if (!before) throw notFound('suggestion', id)
    assertOpen(before)
    if (edit.detail && before.field !== 'term') throw invalid({ detail: [translatable('is only for terms.')] })
    if (edit.value !== undefined) checkLength(before.field, edit.value)
    const changes = diffFields(before, { ...before, ...edit }, ['value', 'detail'])
    if (changes.length === 0) return before
    await updateSuggestion(ctx, id, edit)
    const based_on = await findBasedOnIds(ctx, id)
    const related = based_on.length > 0 ? { related_resource_ids: based_on, related_resource_type: 'resource' } : {} // who may read the text
    await recordActivity(ctx, { ...toActivity(before, 'updated'), ...related, changes })
    return getChangeSuggestion(ctx, id)
  })

export const toActivity = (suggestion: ChangeSuggestion, verb: string): Activity => ({
  activity_type: `change_suggestion_${verb}`,
  ...(suggestion.resource_id && { resource_id: suggestion.resource_id, resource_title: suggestion.resource_title }),
  resource_type: suggestion.field === 'term' ? 'glossary' : 'resource',
})

/** Makes the change as the caller, like any edit. */
export const acceptChangeSuggestion = (ctx: Context, id: string): Promise<ChangeSuggestion> => decide(ctx, id, 'accepted')
export const rejectChangeSuggestion = (ctx: Context, id: string): Promise<ChangeSuggestion> => decide(ctx, id, 'rejected')

const decide = (ctx: Context, id: string, status: 'accepted' | 'rejected'): Promise<ChangeSuggestion> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const suggestion = await findSuggestionRow(ctx, id, true)
    if (!suggestion) throw notFound('suggestion', id)
    if (suggestion.status === status) return suggestion
    assertOpen(suggestion)
    if (status === 'accepted') await applySuggestion({ ...ctx, if_match: undefined }, suggestion)
    await updateDecision(ctx, id, status)
    await recordActivity(ctx, { ...toActivity(suggestion, status), changes: [{ field: 'status', from: suggestion.status, to: status }] })
    return getChangeSuggestion(ctx, id)
  })

const applySuggestion = async (ctx: Context, { resource_id, field, value, detail }: ChangeSuggestion): Promise<unknown> => {
  if (field === 'term') {
    const create = { title: value, entity_type: 'glossary', description: detail, published: true }
    const term = (await findTermByTitle(ctx, value)) ?? (await createResource(ctx, create)).id
    return resource_id && editResources(ctx, [{ id: resource_id, data: {}, add: { terms: [term] } }])
  }
  const id = resource_id!
  if (field === 'description') return editResources(ctx, [{ id, data: { description: value } }])
  if (field === 'tag') {
    const tag = (await ensureTags(ctx, [value])).get(value)!
    return editResources(ctx, [{ id, data: {}, add: { tags: [tag] } }])
  }
  const owner = await findUserId(ctx, value)
  if (!owner)
    throw conflict(
      translatable('{person} is not a user of this workspace. Invite them first, or reject the suggestion.', { person: value }),
    )
  return editResources(ctx, [{ id, data: {}, add: { owners: [owner] } }])
}
