import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { runDataQuery } from './run-query.ts'
import { DataQuery, DataQueryResult } from './schema.ts'

export const dataQueryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/resource/all/:resource_id/query',
    {
      config: { permission: 'data.query', idempotency: 'none' },
      schema: {
        summary: 'Query a table',
        description:
          'Runs one SELECT in the source of the table, read-only and with a time limit, and returns at most 200 rows. It is checked like the custom SQL of a monitor: only functions on the list, only synced tables of the same integration that you can see. Columns you cannot see do not exist in it; the values of masked columns are •••. Requires `preview_enabled` on the integration. 400 says what is not allowed, 409 why the source did not answer. The audit log records each query without its literal values.',
        tags: ['Data'],
        params: Type.Object({ resource_id: Id('The table.') }),
        body: DataQuery,
        response: { 200: DataQueryResult, ...errorResponses(400, 403, 404, 409) },
      },
    },
    (request) => runDataQuery(request.ctx, request.params.resource_id, request.body),
  )
}
