import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { addressOf, PageOf, PageQuery, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { listBacklinks } from './backlinks.ts'
import { ResourceBrief } from './brief.ts'

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
        response: { 200: PageOf(ResourceBrief, 'ResourceBriefPage'), ...failures(400, 404) },
      },
    },
    (request) => listBacklinks(request.ctx, request.params.resource_id, pageRequest(request.query, addressOf(request))),
  )
}
