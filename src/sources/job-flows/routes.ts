import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { listRuns } from './runs.ts'
import { JobRun } from './schema.ts'

export const jobRunRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/all/:resource_id/runs',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'List the runs of a job',
        description:
          'Newest first, with their state, duration, inputs and outputs. The last 50 runs of a job are kept. Of a run, the run itself.',
        tags: ['Lineage'],
        params: Type.Object({ resource_id: Id() }),
        querystring: PageQuery,
        response: { 200: PageSchema(JobRun, 'JobRunPage'), ...errorResponses(400, 404) },
      },
    },
    (request) => listRuns(request.ctx, request.params.resource_id, parsePageRequest(request.query, getRequestUrl(request))),
  )
}
