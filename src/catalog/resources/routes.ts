import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Runtime } from '../../platform/context/runtime.ts'
import { invalid } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { parseId } from '../../platform/core/id.ts'
import { Id } from '../../platform/core/schema-types.ts'
import { sendJson } from '../../platform/http/json.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { trackView } from '../engagement/page-views.ts'
import { listResources, MAX_WINDOW_ROWS } from '../listing/list.ts'
import { CatalogQuery, IncludeHealth, parseCatalogRequest } from '../listing/query.ts'
import { findRowState, getResourceJson, getResourceWithHealth } from '../listing/read.ts'
import { BulkUpdate, Resource, ResourceCreate, ResourceEdit } from '../records/schema.ts'
import { AsOfQuery, getResourceAsOf, parseAsOf } from '../versions/as-of.ts'
import { bulkUpdate } from './bulk.ts'
import { createResource } from './create.ts'
import { DELETION_DESCRIPTION, deleteResource } from './delete.ts'
import { editResourceTogether } from './edit.ts'

const ResourceParams = Type.Object({ resource_id: Id() })
const ResourceQuery = Type.Object({ ...AsOfQuery.properties, include: IncludeHealth })
const READ = { permission: 'catalog.read' } as const
const WRITE = { permission: 'catalog.write' } as const

/** An invalid ID is rejected later by the validation of path parameters. */
const prefetchRowState = (context: Parameters<typeof findRowState>[0], text: string) => {
  const id = parseId(text)
  return id === undefined ? undefined : findRowState(context, id)
}

const prefetchRow = ({ editGroups }: Runtime, text: string) => {
  const id = parseId(text)
  return id === undefined ? undefined : editGroups.find(id)
}

export const resourceRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/catalog',
    {
      config: { ...READ, replica: true },
      schema: {
        summary: 'List the catalog',
        tags: ['Catalog'],
        querystring: CatalogQuery,
        response: { 200: PageSchema(Resource, 'ResourcePage'), ...errorResponses(400) },
      },
    },
    async (request, reply) => {
      const list = await parseCatalogRequest(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request)))
      return sendJson(reply, await listResources(request.ctx, { ...list, window: MAX_WINDOW_ROWS }))
    },
  )

  app.post(
    '/resource/catalog',
    {
      config: WRITE,
      schema: {
        summary: 'Create a resource',
        tags: ['Catalog'],
        body: ResourceCreate,
        response: { 201: Resource, ...errorResponses(400, 409) },
      },
    },
    async (request, reply) => reply.code(201).send(await createResource(request.ctx, request.body)),
  )

  app.get(
    '/resource/all/:resource_id',
    {
      config: { ...READ, prefetch: (context, { resource_id = '' }) => prefetchRowState(context, resource_id) },
      schema: {
        summary: 'Get a resource',
        tags: ['Catalog'],
        params: ResourceParams,
        querystring: ResourceQuery,
        response: { 200: Resource, ...errorResponses(400, 404) },
      },
    },
    async (request, reply) => {
      const { resource_id } = request.params
      const { as_of, include } = request.query
      if (as_of !== undefined) {
        if (include) throw invalid({ include: ['Health has no history: leave out as_of or include.'] })
        return reply.send(await getResourceAsOf(request.ctx, resource_id, parseAsOf(as_of)))
      }
      if (include) {
        const record = await getResourceWithHealth(request.ctx, resource_id)
        trackView(request.ctx, resource_id)
        return reply.header('ETag', computeEtag(record)).send(record)
      }
      const { text, version } = await getResourceJson(request.ctx, resource_id, request.prefetch as ReturnType<typeof findRowState>)
      trackView(request.ctx, resource_id)
      return sendJson(reply.header('ETag', computeEtag({ version })), text)
    },
  )

  app.patch(
    '/resource/all/:resource_id',
    {
      config: { ...WRITE, prefetch: ({ runtime }, { resource_id = '' }) => prefetchRow(runtime, resource_id) },
      schema: {
        summary: 'Edit a resource',
        tags: ['Catalog'],
        params: ResourceParams,
        body: ResourceEdit,
        response: { 200: Resource, ...errorResponses(400, 404, 412) },
      },
    },
    (request) =>
      editResourceTogether(request.ctx, request.params.resource_id, request.body, request.prefetch as ReturnType<typeof prefetchRow>),
  )

  app.delete(
    '/resource/all/:resource_id',
    {
      config: WRITE,
      schema: {
        summary: 'Delete a resource and everything below it',
        description: DELETION_DESCRIPTION,
        tags: ['Catalog'],
        params: ResourceParams,
        response: { 202: Job, 204: Type.Null(), ...errorResponses(404, 409, 412) },
      },
    },
    async (request, reply) => {
      const { job } = await deleteResource(request.ctx, request.params.resource_id)
      return job ? reply.code(202).send(job) : reply.code(204).send(null)
    },
  )

  app.post(
    '/resource/all/bulk_update/',
    {
      config: { ...WRITE, read_only: Object.keys(Resource.properties) },
      schema: {
        summary: 'Edit up to 100 resources at once, all or nothing',
        tags: ['Catalog'],
        body: BulkUpdate,
        response: {
          200: Type.Array(Id(), { description: 'The IDs of the updated resources, in the order sent.' }),
          ...errorResponses(400, 404, 409, 412),
        },
      },
    },
    (request) => bulkUpdate(request.ctx, request.body),
  )
}
