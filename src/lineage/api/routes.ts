import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { listLineageEntries } from '../edges/list.ts'
import { createLineageEntry, deleteLineageEntry, getLineageEntry } from '../edges/manual.ts'
import { FromQuery, LineageCreate, LineageEntry, LineageQuery, PreviewQuery, QueryLineage } from '../edges/schema.ts'
import { parseAndSaveLineage, previewLineage } from '../queries/from-query.ts'

const LineageParams = Type.Object({ lineage_id: Id() })
const READ = { permission: 'catalog.read' } as const
const WRITE = { permission: 'catalog.write' } as const
const tags = ['Lineage']

/** Routes of manual lineage and of lineage from queries. */
export const lineageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/lineage/manual',
    {
      config: READ,
      schema: {
        summary: 'List manual lineage',
        tags,
        querystring: LineageQuery,
        response: { 200: PageSchema(LineageEntry, 'LineagePage'), ...errorResponses(400) },
      },
    },
    (request) => listLineageEntries(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    '/lineage/manual',
    {
      config: WRITE,
      schema: {
        summary: 'Add a manual lineage entry',
        description: 'The opposite entry is created automatically. Adding the same relation again returns the existing entry.',
        tags,
        body: LineageCreate,
        response: { 201: LineageEntry, ...errorResponses(400, 409) },
      },
    },
    async (request, reply) => reply.code(201).send(await createLineageEntry(request.ctx, request.body)),
  )

  app.get(
    '/lineage/manual/:lineage_id',
    {
      config: READ,
      schema: { summary: 'Get a lineage entry', tags, params: LineageParams, response: { 200: LineageEntry, ...errorResponses(404) } },
    },
    (request) => getLineageEntry(request.ctx, request.params.lineage_id),
  )

  app.delete(
    '/lineage/manual/:lineage_id',
    {
      config: WRITE,
      schema: {
        summary: 'Delete a lineage entry and its mirror',
        tags,
        params: LineageParams,
        response: { 204: Type.Null(), ...errorResponses(404, 412) },
      },
    },
    async (request, reply) => {
      await deleteLineageEntry(request.ctx, request.params.lineage_id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/lineage/lineage_from_query',
    {
      config: READ,
      schema: {
        summary: 'Preview the lineage of a query',
        tags,
        querystring: PreviewQuery,
        response: { 200: QueryLineage, ...errorResponses(400, 404, 413) },
      },
    },
    (request) => previewLineage(request.ctx, request.query),
  )

  app.post(
    '/lineage/lineage_from_query',
    {
      config: { ...WRITE, idempotency: 'record' }, // the SQL is parsed before the transaction
      schema: {
        summary: 'Create lineage from a query',
        description: 'Edges are created between tables and columns in the catalog. Sending the same query again changes nothing.',
        tags,
        body: FromQuery,
        response: { 200: QueryLineage, ...errorResponses(400, 404, 409, 413) },
      },
    },
    (request) => parseAndSaveLineage(request.ctx, request.body, { replace: false }),
  )

  app.patch(
    '/lineage/lineage_from_query',
    {
      config: WRITE,
      schema: {
        summary: 'Create lineage from a query, replacing the derived upstream of its target',
        tags,
        body: FromQuery,
        response: { 200: QueryLineage, ...errorResponses(400, 404, 413) },
      },
    },
    (request) => parseAndSaveLineage(request.ctx, request.body, { replace: true }),
  )
}
