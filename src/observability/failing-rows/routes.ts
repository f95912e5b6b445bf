import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getFailingRows } from './read.ts'
import { FailingRows } from './schema.ts'

export const failingRowsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/monitor/incidents/:incident_id/failing_rows',
    {
      config: { permission: 'monitors.read' },
      schema: {
        summary: 'Get a sample of the rows behind an incident',
        description:
          'For checks that count rows: `accepted_values`, `pattern`, `range`, `duplicates`, `referential`. Stored for two weeks if `preview_enabled` is on for the integration, and returned to those who can preview the table; 409 explains why not. `sample` is null if there is none.',
        tags: ['Incidents'],
        params: Type.Object({ incident_id: Id() }),
        response: { 200: FailingRows, ...errorResponses(404, 409) },
      },
    },
    (request) => getFailingRows(request.ctx, request.params.incident_id),
  )
}
