import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendJson } from '../http/json.ts'
import { failures } from '../http/openapi.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { listResources } from './list.ts'
import { addMark, BOOKMARK, type Mark, removeMark, SUBSCRIPTION } from './marks.ts'
import { CatalogQuery, catalogRequest, leaf } from './query.ts'
import { Resource } from './schema.ts'

const ResourceParams = Type.Object({ resource_id: Id() })
const READ = { permission: 'catalog.read' } as const
const OWN = { permission: 'self.write' } as const

/** Bookmarks and subscriptions have the same endpoints. */
export const markRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const [mark, tag] of [
    [BOOKMARK, 'Bookmarks'],
    [SUBSCRIPTION, 'Subscriptions'],
  ] as const satisfies [Mark, string][]) {
    const { noun, field } = mark
    const one = `/resource/all/:resource_id/${noun}`
    const tags = [tag]

    app.get(
      `/${noun}`,
      {
        config: READ,
        schema: {
          summary: noun === 'bookmark' ? 'List your bookmarked resources' : 'List the resources you are subscribed to',
          tags,
          querystring: CatalogQuery,
          response: { 200: PageOf(Resource, 'ResourcePage'), ...failures(400) },
        },
      },
      async (request, reply) => {
        const mine = leaf('exact', field, request.ctx.actor.user_id!)
        const page = pageRequest(request.query, addressOf(request))
        return sendJson(reply, await listResources(request.ctx, await catalogRequest(request.ctx, request.query, page, mine)))
      },
    )

    app.put(
      one,
      {
        config: OWN,
        schema: {
          summary: noun === 'bookmark' ? 'Bookmark a resource' : 'Subscribe to a resource',
          description: 'Idempotent. This is not an edit: it does not create a version and `If-Match` is ignored.',
          tags,
          params: ResourceParams,
          response: { 200: Resource, ...failures(404) },
        },
      },
      (request) => addMark(request.ctx, mark, request.params.resource_id),
    )

    app.delete(
      one,
      {
        config: OWN,
        schema: {
          summary: noun === 'bookmark' ? 'Remove a bookmark' : 'Unsubscribe from a resource',
          tags,
          params: ResourceParams,
          response: { 204: Type.Null(), ...failures(404) },
        },
      },
      async (request, reply) => {
        await removeMark(request.ctx, mark, request.params.resource_id)
        return reply.code(204).send(null)
      },
    )
  }
}
