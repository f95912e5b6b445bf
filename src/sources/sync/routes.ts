import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageQuery, parsePageRequest } from '../../platform/lists/page.ts'
import { getProvenance, revertToSource } from './provenance.ts'
import { Provenance, SchemaHistoryPage, TakeBack } from './schema.ts'
import { listSchemaHistory } from './schema-history.ts'

const PATH = '/resource/all/:resource_id/provenance'
const params = Type.Object({ resource_id: Id() })
const tags = ['Resources']

export const provenanceRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    PATH,
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Get the provenance of resource fields',
        description:
          'For each field a source reports: whether the value comes from the source or was edited here. Empty for resources that no source reports.',
        tags,
        params,
        response: { 200: Type.Array(Provenance), ...errorResponses(404) },
      },
    },
    (request) => getProvenance(request.ctx, request.params.resource_id),
  )

  app.post(
    `${PATH}/take_back`,
    {
      config: { permission: 'catalog.write' },
      schema: {
        summary: 'Reset a field to the value of its source',
        description: 'Later syncs update the field again.',
        tags,
        params,
        body: TakeBack,
        response: { 200: Type.Array(Provenance), ...errorResponses(400, 404, 412) },
      },
    },
    (request) => revertToSource(request.ctx, request.params.resource_id, request.body.field, request.body.source),
  )
}

export const schemaHistoryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/table/tables/:table_id/schema_history',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'List how the columns of a table changed in its source, newest first',
        description: 'One entry for each sync that changed the columns. Columns you cannot see are left out.',
        tags: ['Tables'],
        params: Type.Object({ table_id: Id() }),
        querystring: PageQuery,
        response: { 200: SchemaHistoryPage, ...errorResponses(400, 404) },
      },
    },
    (request) => listSchemaHistory(request.ctx, request.params.table_id, parsePageRequest(request.query, getRequestUrl(request))),
  )
}
