import { type Context, inTransaction } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { suggestTerms } from '../glossary/term-suggestions.ts'
import type { ChangeSuggestion } from './schema.ts'
import { insertSuggestion, updateDecision, updateGrounds } from './store.ts'
import { getChangeSuggestion, toActivity } from './suggestions.ts'

/** Rejects a term that was suggested by name or lineage, like any suggestion: it is recorded and not suggested again. */
export const dismissTerm = (ctx: Context, resource_id: string, term_id: string): Promise<ChangeSuggestion> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const { results } = await suggestTerms(ctx, resource_id)
    const suggested = results.find((each) => each.term_id === term_id && each.resource_id === resource_id)
    if (!suggested) throw notFound('suggestion', term_id)
    const id = newId()
    await insertSuggestion(ctx, id, { resource_id, field: 'term', value: suggested.term_title }, 'ai')
    const based_on = suggested.reasons.flatMap(({ resource_id }) => resource_id ?? [])
    const grounds = suggested.reasons.map(({ type, resource_id, resource_title }) => ({
      type,
      text: resource_title ?? suggested.resource_title,
      resource_id,
    }))
    await updateGrounds(ctx, id, { grounds, based_on: [term_id, ...based_on] })
    await updateDecision(ctx, id, 'rejected')
    const suggestion = await getChangeSuggestion(ctx, id)
    await recordActivity(ctx, { ...toActivity(suggestion, 'rejected'), changes: [{ field: 'status', from: 'open', to: 'rejected' }] })
    return suggestion
  })
