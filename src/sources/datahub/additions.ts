import type { Context } from '../../platform/context/context.ts'
import { applyFieldSuggestions, type FieldSuggestion, withdrawFieldSuggestions } from '../sync/field-suggestions.ts'
import type { ForeignResources } from './foreign-resources.ts'
import type { Addition } from './items.ts'
import type { LossReport } from './losses.ts'

/**
 * What events say about resources of other integrations: tags, owners, terms and collections are added to theirs, a description fills an empty
 * one. Returns how many resources changed.
 */
export const applyAdditions = async (
  ctx: Context,
  integration: string,
  additions: readonly Addition[],
  foreign: ForeignResources,
  losses: LossReport,
): Promise<number> => {
  const suggestions = new Map<string, FieldSuggestion>()
  for (const { urn, path, fields, facts } of additions) {
    const { description, tags, owners, owners_groups, terms, collections } = fields
    const suggested = dropUndefined({ description, tags, owners, owners_groups, terms, collections })
    const id = path ? foreign.column({ dataset: urn, path }) : foreign.get(urn)
    if (!id) {
      losses.add(`${urn}: what is known about the field ${path?.join('.')}, which its table does not have.`)
      continue
    }
    if (path && Object.keys(suggested).length === 0) continue
    suggestions.set(id, { resource_id: id, fields: suggested, ...(facts && !path ? { facts } : {}) })
  }
  const updated = await applyFieldSuggestions(ctx, integration, 'datahub', [...suggestions.values()])
  await withdrawFieldSuggestions(ctx, integration, 'datahub', [...suggestions.keys()])
  return updated
}

const dropUndefined = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
