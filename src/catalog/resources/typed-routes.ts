import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { deprecate } from '../../platform/http/deprecation.ts'
import { sendJson } from '../../platform/http/json.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { getRequestUrl, parsePageRequest } from '../../platform/lists/page.ts'
import { getEntityTypeConfig } from '../entity-types/entity-types.ts'
import { listResources } from '../listing/list.ts'
import { CatalogQuery, IncludeHealth, parseCatalogRequest, toCondition } from '../listing/query.ts'
import { getResource, getResourceWithHealth } from '../listing/read.ts'
import { findField } from '../records/fields.ts'
import { otherTypeFieldNames } from '../records/type-fields.ts'
import { DELETION_DESCRIPTION, deleteResource } from './delete.ts'
import { createTypedResource, editTypedResource, type RequestBody, type TypedRoute } from './typed-route.ts'
import { typedEditSchema, typedPageSchema, typedRecordSchema } from './typed-schemas.ts'

const { entity_type: _, ...parameters } = CatalogQuery.properties
const TypedRouteQuery = Type.Object(parameters)
const RecordQuery = Type.Object({ include: IncludeHealth })
const READ = { permission: 'catalog.read' } as const

export const typedRoutes =
  (routes: readonly TypedRoute[]): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const route of routes) addTypedRoute(app, route)
  }

const addTypedRoute = (app: FastifyInstance, route: TypedRoute): void => {
  const { path, entity_type, noun, tag, param, deprecated } = route
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  const itemPath = `${path}/:${param}` as const
  const params = Type.Object({ [param]: Id() })
  const idOf = (request: { params: unknown }): string => (request.params as Record<string, string>)[param]!
  const describeRoute = (summary: string) => ({ summary, tags: [tag] })
  const warn = (reply: FastifyReply, field: string, value: string) => deprecated && deprecate(reply, { operator: 'exact', field, value })
  const record = typedRecordSchema(entity_type)
  const WRITE = { permission: getEntityTypeConfig(entity_type).permission, never_stored: otherTypeFieldNames(entity_type) }

  typed.get(
    path,
    {
      config: { ...READ, replica: true },
      schema: {
        ...describeRoute(`List ${tag.toLowerCase()}`),
        deprecated,
        querystring: TypedRouteQuery,
        response: { 200: typedPageSchema(entity_type), ...errorResponses(400) },
      },
    },
    async (request, reply) => {
      warn(reply, 'type', entity_type)
      const page = parsePageRequest(request.query, getRequestUrl(request))
      const order = request.query.parent_id ? toAscendingSort(route.children_sort) : undefined
      const list = await parseCatalogRequest(request.ctx, request.query, page, toCondition('exact', 'entity_type', entity_type), order)
      return sendJson(reply, await listResources(request.ctx, list))
    },
  )

  typed.get(
    itemPath,
    {
      config: READ,
      schema: {
        ...describeRoute(`Get ${noun}`),
        deprecated,
        params,
        querystring: RecordQuery,
        response: { 200: record, ...errorResponses(400, 404) },
      },
    },
    (request, reply) => {
      warn(reply, 'id', idOf(request))
      const read = request.query.include ? getResourceWithHealth : getResource
      return read(request.ctx, idOf(request), entity_type)
    },
  )

  const { create } = route
  if (create)
    typed.post(
      path,
      {
        config: WRITE,
        schema: { ...describeRoute(`Create ${noun}`), body: create, response: { 201: record, ...errorResponses(400, 409) } },
      },
      async (request, reply) => reply.code(201).send(await createTypedResource(request.ctx, route, request.body as RequestBody)),
    )

  if (route.edit)
    typed.patch(
      itemPath,
      {
        config: WRITE,
        schema: {
          ...describeRoute(`Edit ${noun}`),
          params,
          body: typedEditSchema(entity_type, route.edit_example),
          response: { 200: record, ...errorResponses(400, 404, 412) },
        },
      },
      (request) => editTypedResource(request.ctx, route, idOf(request), request.body as RequestBody),
    )

  if (route.delete_response === 'record')
    typed.delete(
      itemPath,
      {
        config: WRITE,
        schema: {
          ...describeRoute(`Delete ${noun}`),
          description: DELETION_DESCRIPTION,
          params,
          response: { 200: record, 202: Job, ...errorResponses(404, 409, 412) },
        },
      },
      async (request, reply) => {
        const { job, record } = await deleteResource(request.ctx, idOf(request), entity_type)
        return job ? reply.code(202).send(job) : reply.code(200).send(record!)
      },
    )
  if (route.delete_response === 'nothing')
    typed.delete(
      itemPath,
      {
        config: WRITE,
        schema: {
          ...describeRoute(`Delete ${noun}`),
          description: DELETION_DESCRIPTION,
          params,
          response: { 202: Job, 204: Type.Null(), ...errorResponses(404, 409, 412) },
        },
      },
      async (request, reply) => {
        const { job } = await deleteResource(request.ctx, idOf(request), entity_type)
        return job ? reply.code(202).send(job) : reply.code(204).send(null)
      },
    )
}

const toAscendingSort = (name: string | undefined) =>
  name === undefined ? undefined : [name, 'id'].map((each) => ({ field: findField(each)!, descending: false }))
