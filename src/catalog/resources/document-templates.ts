import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { findResourceRow } from '../records/resource-rows.ts'
import type { ResourceCreate } from '../records/schema.ts'
import { getStoredTypeFields } from '../records/type-fields.ts'
import type { RequestBody } from './typed-route.ts'

/** A new document with what the template has and the request does not say. */
export const prepareDocument = async (ctx: Context, { template, ...create }: RequestBody): Promise<ResourceCreate> => {
  if (!template) return create as ResourceCreate
  const row = await findResourceRow(ctx.db, ctx.actor, parseId(String(template))!)
  if (row?.entity_type !== 'document' || getStoredTypeFields(row).is_template !== true)
    throw invalid({ template: [translatable('is not a document marked as a template.')] })
  const { title, description, definition, icon } = row
  const given = Object.fromEntries(Object.entries(create).filter(([, value]) => value !== null && value !== undefined))
  return { title, description, definition, icon, ...given } as ResourceCreate
}
