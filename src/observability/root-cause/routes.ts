import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { findRootCause } from './root-cause.ts'
import { RootCause, RootCauseQuery } from './schema.ts'

export const rootCauseRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/lineage/root_cause',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Find out why a number may be wrong',
        description:
          'Checks the resource and everything upstream for open incidents, late data, changed columns, changed SQL, failed tests and failed job runs. Cut to what you can see.',
        tags: ['Lineage'],
        querystring: RootCauseQuery,
        response: { 200: RootCause, ...errorResponses(400, 404) },
      },
    },
    (request) => findRootCause(request.ctx, request.query.resource_id),
  )
}
