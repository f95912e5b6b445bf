import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Usage, UsageQuery } from './schema.ts'
import { getUsage } from './usage.ts'

const DEFAULT_DAYS = 90

export const usageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/all/:resource_id/usage',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Get the usage of a resource over time',
        description: 'Uses in the source and views here on each day, and who queries it. Uses are counted for tables and dashboards.',
        tags: ['Data'],
        params: Type.Object({ resource_id: Id() }),
        querystring: UsageQuery,
        response: { 200: Usage, ...errorResponses(400, 404) },
      },
    },
    (request) => getUsage(request.ctx, request.params.resource_id, request.query.days ?? DEFAULT_DAYS),
  )
}
