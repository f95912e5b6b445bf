import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { Id } from '../wire.ts'
import { Access, AccessQuery, explainAccess } from './access.ts'

export const accessExplainedRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/all/:resource_id/access',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Explain why somebody may or may not see a resource',
        description: 'Everybody may ask about themselves; about others, those who may read people.',
        tags: ['Catalog'],
        params: Type.Object({ resource_id: Id() }),
        querystring: AccessQuery,
        response: { 200: Access, ...failures(400, 404) },
      },
    },
    (request) => explainAccess(request.ctx, request.params.resource_id, request.query.user),
  )
}
