import { type Context, inTransaction } from '../context.ts'
import { Refusal } from '../errors.ts'
import { readId } from '../id.ts'
import { editResources } from './edit.ts'
import { type BulkUpdate, MOST_IN_BULK } from './schema.ts'

/** All or nothing: if one resource is missing or forbidden, none is changed. Returns the IDs in the order sent. */
export const bulkUpdate = (ctx: Context, updates: BulkUpdate): Promise<string[]> => {
  if (updates.length > MOST_IN_BULK)
    throw new Refusal(
      'too_many_entities',
      `At most ${MOST_IN_BULK} resources can be updated in one request. The request contains ${updates.length}.`,
    )
  const edits = updates.map(({ id, data }) => ({ id: readId(id)!, data }))
  return inTransaction(ctx, async (ctx) => {
    await editResources(ctx, edits)
    return edits.map(({ id }) => id)
  })
}
