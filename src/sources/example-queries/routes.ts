import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { listExampleQueries } from './list.ts'
import { ExampleQuery } from './schema.ts'

export const exampleQueryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/all/:resource_id/queries',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'List queries that read a table, the most useful first',
        description: 'How others query the table: verified and saved queries first, then by how many people run them and how often.',
        tags: ['Data'],
        params: Type.Object({ resource_id: Id() }),
        querystring: PageQuery,
        response: { 200: PageSchema(ExampleQuery, 'ExampleQueryPage'), ...errorResponses(400, 404) },
      },
    },
    (request) => listExampleQueries(request.ctx, request.params.resource_id, parsePageRequest(request.query, getRequestUrl(request))),
  )
}
