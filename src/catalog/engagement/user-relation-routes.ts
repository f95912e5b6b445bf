import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { sendJson } from '../../platform/http/json.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { listResources } from '../listing/list.ts'
import { CatalogQuery, parseCatalogRequest, toCondition } from '../listing/query.ts'
import { Resource } from '../records/schema.ts'
import { addUserRelation, BOOKMARK, removeUserRelation, SUBSCRIPTION, type UserRelation } from './user-relations.ts'

const ResourceParams = Type.Object({ resource_id: Id() })
const READ = { permission: 'catalog.read' } as const
const SELF_WRITE = { permission: 'self.write' } as const

/** Bookmarks and subscriptions have the same endpoints. */
export const userRelationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const [relation, tag] of [
    [BOOKMARK, 'Bookmarks'],
    [SUBSCRIPTION, 'Subscriptions'],
  ] as const satisfies [UserRelation, string][]) {
    const { noun, field } = relation
    const itemPath = `/resource/all/:resource_id/${noun}`
    const tags = [tag]

    app.get(
      `/${noun}`,
      {
        config: READ,
        schema: {
          summary: noun === 'bookmark' ? 'List your bookmarked resources' : 'List the resources you are subscribed to',
          tags,
          querystring: CatalogQuery,
          response: { 200: PageSchema(Resource, 'ResourcePage'), ...errorResponses(400) },
        },
      },
      async (request, reply) => {
        const mine = toCondition('exact', field, request.ctx.actor.user_id!)
        const page = parsePageRequest(request.query, getRequestUrl(request))
        return sendJson(reply, await listResources(request.ctx, await parseCatalogRequest(request.ctx, request.query, page, mine)))
      },
    )

    app.put(
      itemPath,
      {
        config: SELF_WRITE,
        schema: {
          summary: noun === 'bookmark' ? 'Bookmark a resource' : 'Subscribe to a resource',
          description: 'Idempotent. This is not an edit: it does not create a version and `If-Match` is ignored.',
          tags,
          params: ResourceParams,
          response: { 200: Resource, ...errorResponses(404) },
        },
      },
      (request) => addUserRelation(request.ctx, relation, request.params.resource_id),
    )

    app.delete(
      itemPath,
      {
        config: SELF_WRITE,
        schema: {
          summary: noun === 'bookmark' ? 'Remove a bookmark' : 'Unsubscribe from a resource',
          tags,
          params: ResourceParams,
          response: { 204: Type.Null(), ...errorResponses(404) },
        },
      },
      async (request, reply) => {
        await removeUserRelation(request.ctx, relation, request.params.resource_id)
        return reply.code(204).send(null)
      },
    )
  }
}
