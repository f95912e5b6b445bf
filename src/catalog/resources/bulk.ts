import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { type BulkUpdate, MAX_BULK_RESOURCES } from '../records/schema.ts'
import { editResources } from './edit.ts'

/** All or nothing: if one resource is missing or forbidden, none is changed. Returns the IDs in the order sent. */
export const bulkUpdate = (ctx: Context, updates: BulkUpdate): Promise<string[]> => {
  if (updates.length > MAX_BULK_RESOURCES)
    throw new ApiError(
      'too_many_entities',
      translatable('At most {max} resources can be updated in one request. The request contains {n}.', {
        max: MAX_BULK_RESOURCES,
        n: updates.length,
      }),
    )
  const edits = updates.map(({ id, ...edit }) => ({ id: parseId(id)!, ...edit }))
  return inTransaction(ctx, async (ctx) => {
    await editResources(ctx, edits)
    return edits.map(({ id }) => id)
  })
}
