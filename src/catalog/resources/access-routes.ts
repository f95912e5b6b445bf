import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Access, AccessQuery, explainAccess } from './access.ts'

export const resourceAccessRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/all/:resource_id/access',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Explain why a user can or cannot see a resource',
        description: 'Any caller can check their own access. Checking another user requires the `people.read` permission.',
        tags: ['Catalog'],
        params: Type.Object({ resource_id: Id() }),
        querystring: AccessQuery,
        response: { 200: Access, ...errorResponses(400, 404) },
      },
    },
    (request) => explainAccess(request.ctx, request.params.resource_id, request.query.user),
  )
}
