import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { ResourceBrief } from '../listing/brief.ts'
import { listBacklinks } from './backlinks.ts'

export const backlinkRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/all/:resource_id/backlinks',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'List the resources whose documentation links to a resource',
        description: 'A link is `/r/<id>` anywhere in the Markdown of the `definition` field.',
        tags: ['Catalog'],
        params: Type.Object({ resource_id: Id() }),
        querystring: PageQuery,
        response: { 200: PageSchema(ResourceBrief, 'ResourceBriefPage'), ...errorResponses(400, 404) },
      },
    },
    (request) => listBacklinks(request.ctx, request.params.resource_id, parsePageRequest(request.query, getRequestUrl(request))),
  )
}
