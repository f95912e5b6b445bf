import { Type } from 'typebox'
import { getResource } from '../../catalog/listing/read.ts'
import type { Resource } from '../../catalog/records/schema.ts'
import { findResourcesByPath } from '../../observability/monitor-model/paths.ts'
import type { Context } from '../../platform/context/context.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'

/** How tools name a resource: by its ID, or by its full title as people and SQL write it. */
export const Target = (what = 'the resource') =>
  Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: `The ID of ${what}, or the full path of a table or column, e.g. "shop.public.orders".`,
  })

/** The ID of a resource the caller can see. */
export const findTargetId = async (ctx: Context, text: string, name = 'id'): Promise<string> => {
  const id = parseId(text.trim())
  if (id) return id
  const found = (await findResourcesByPath(ctx, [text.trim()])).get(text.trim()) ?? []
  const [first, second] = found
  if (!first)
    throw new ApiError(
      'not_found',
      `${name}: no table or column has the path "${text}", or you do not have access to it. Use search to find its ID.`,
    )
  if (second)
    throw invalid({
      [name]: [`${found.length} resources have the path "${text}". Use one of these IDs: ${found.map((each) => each.id).join(', ')}.`],
    })
  return first.id
}

export const getTarget = async (ctx: Context, text: string, name = 'id'): Promise<Resource> =>
  getResource(ctx, await findTargetId(ctx, text, name))

export const linkToResource = (baseUrl: string, id: string): string => `${baseUrl}/r/${id}`
