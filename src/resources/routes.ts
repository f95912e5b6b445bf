import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { etagOf } from '../etag.ts'
import { sendJson } from '../http/json.ts'
import { failures } from '../http/openapi.ts'
import { readId } from '../id.ts'
import { Job } from '../jobs/schema.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { AsOfQuery, momentOf, readResourceAsOf } from './as-of.ts'
import { bulkUpdate } from './bulk.ts'
import { createResource } from './create.ts'
import { editResource } from './edit.ts'
import { listResources, WINDOW } from './list.ts'
import { CatalogQuery, catalogRequest } from './query.ts'
import { readResourceText, stampOf } from './read.ts'
import { DELETION, removeResource } from './remove.ts'
import { BulkUpdate, Resource, ResourceCreate, ResourceEdit } from './schema.ts'
import { noteView } from './views.ts'

const ResourceParams = Type.Object({ resource_id: Id() })
const READ = { permission: 'catalog.read' } as const
const WRITE = { permission: 'catalog.write' } as const

/** An invalid ID is rejected later by the validation of path parameters. */
const stampAhead = (house: Parameters<typeof stampOf>[0], text: string) => {
  const id = readId(text)
  return id === undefined ? undefined : stampOf(house, id)
}

export const resourceRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/catalog',
    {
      config: READ,
      schema: {
        summary: 'List the catalog',
        tags: ['Catalog'],
        querystring: CatalogQuery,
        response: { 200: PageOf(Resource, 'ResourcePage'), ...failures(400) },
      },
    },
    async (request, reply) => {
      const wanted = await catalogRequest(request.ctx, request.query, pageRequest(request.query, addressOf(request)))
      return sendJson(reply, await listResources(request.ctx, { ...wanted, window: WINDOW }))
    },
  )

  app.post(
    '/resource/catalog',
    {
      config: WRITE,
      schema: { summary: 'Create a resource', tags: ['Catalog'], body: ResourceCreate, response: { 201: Resource, ...failures(400, 409) } },
    },
    async (request, reply) => reply.code(201).send(await createResource(request.ctx, request.body)),
  )

  app.get(
    '/resource/all/:resource_id',
    {
      config: { ...READ, ahead: (house, { resource_id = '' }) => stampAhead(house, resource_id) },
      schema: {
        summary: 'Read a resource',
        tags: ['Catalog'],
        params: ResourceParams,
        querystring: AsOfQuery,
        response: { 200: Resource, ...failures(400, 404) },
      },
    },
    async (request, reply) => {
      if (request.query.as_of !== undefined)
        return reply.send(await readResourceAsOf(request.ctx, request.params.resource_id, momentOf(request.query.as_of)))
      const { text, version } = await readResourceText(request.ctx, request.params.resource_id, request.ahead as ReturnType<typeof stampOf>)
      noteView(request.ctx, request.params.resource_id)
      return sendJson(reply.header('ETag', etagOf({ version })), text)
    },
  )

  app.patch(
    '/resource/all/:resource_id',
    {
      config: WRITE,
      schema: {
        summary: 'Edit a resource',
        tags: ['Catalog'],
        params: ResourceParams,
        body: ResourceEdit,
        response: { 200: Resource, ...failures(400, 404, 412) },
      },
    },
    (request) => editResource(request.ctx, request.params.resource_id, request.body),
  )

  app.delete(
    '/resource/all/:resource_id',
    {
      config: WRITE,
      schema: {
        summary: 'Delete a resource and everything below it',
        description: DELETION,
        tags: ['Catalog'],
        params: ResourceParams,
        response: { 202: Job, 204: Type.Null(), ...failures(404, 409, 412) },
      },
    },
    async (request, reply) => {
      const { job } = await removeResource(request.ctx, request.params.resource_id)
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
          ...failures(400, 404, 409, 412),
        },
      },
    },
    (request) => bulkUpdate(request.ctx, request.body),
  )
}
