import { getResource } from '../../catalog/listing/read.ts'
import type { Resource } from '../../catalog/records/schema.ts'
import { findChannelReader } from '../../notifications/channels/channel-reader.ts'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'

/** The context of somebody who sees what every viewer of the catalog may see: what is published, outside of closed teams. */
export const getContextOfAnyViewer = async (ctx: Context): Promise<Context> => ({
  ...ctx,
  actor: { ...(await findChannelReader(ctx)), role: 'viewer' },
})

export const findResource = (ctx: Context, id: string): Promise<Resource | undefined> =>
  getResource(ctx, id).catch((error) => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  })

const RESOURCE_PATH = /^\/(?:r|documents)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i

/** The resource whose page has this path. */
export const parseResourcePath = (path: string): string | undefined => RESOURCE_PATH.exec(path)?.[1]?.toLowerCase()
