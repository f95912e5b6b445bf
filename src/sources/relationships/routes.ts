import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { compressLargeResponse } from '../../platform/http/compress.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRelationships } from './relationships.ts'
import { Relationships } from './schema.ts'

export const relationshipRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/all/:resource_id/relationships',
    {
      config: { permission: 'catalog.read' },
      onSend: compressLargeResponse,
      schema: {
        summary: 'Get the foreign keys and joins of a table or schema',
        description:
          'For a table: its foreign keys, those of other tables of its schema that refer to it, and its joins. For a schema or database: those of its tables. Joins come from the queries that lineage was derived from, if you can see everything they read and write.',
        tags: ['Lineage'],
        params: Type.Object({ resource_id: Id() }),
        response: { 200: Relationships, ...errorResponses(404) },
      },
    },
    (request) => getRelationships(request.ctx, request.params.resource_id),
  )
}
