import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { computeEtag } from '../../platform/core/etag.ts'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { BulkValues, PropertyValue, ValueBody, ValueParams } from './schema.ts'
import { deletePropertyValue, getPropertyValue, listValues, setValue, setValues } from './values.ts'

const NAMES = ['custom_property_id']
const READ = { permission: 'catalog.read', names: NAMES } as const
const WRITE = { permission: 'catalog.write', names: NAMES } as const
const tags = ['Custom properties']
const valuePath = '/resource/all_v2/custom_properties/:custom_property_id/:entity_id'
const bulkPath = '/resource/all_v2/bulk_update/custom_properties/'
const NO_CONTENT = Type.Unsafe<undefined>({ type: 'null', description: 'No content.' })

/** Endpoints for property values. */
export const propertyValueRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/all/:resource_id/custom_properties',
    {
      config: READ,
      schema: {
        summary: 'List the custom property values of a resource',
        tags,
        params: Type.Object({ resource_id: Id() }),
        response: { 200: Type.Array(PropertyValue), ...errorResponses(404) },
      },
    },
    (request) => listValues(request.ctx, request.params.resource_id),
  )

  app.get(
    valuePath,
    {
      config: READ,
      schema: {
        summary: 'Get the value of a custom property',
        tags,
        params: ValueParams,
        response: { 200: PropertyValue, ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const value = await getPropertyValue(request.ctx, request.params.custom_property_id, request.params.entity_id)
      return reply.header('ETag', computeEtag(value)).send(value)
    },
  )

  for (const method of ['PUT', 'PATCH'] as const) addWriteRoutes(app, method)

  app.delete(
    valuePath,
    {
      config: WRITE,
      schema: {
        summary: 'Delete the value of a custom property',
        tags,
        params: ValueParams,
        response: { 204: Type.Null(), ...errorResponses(404, 412) },
      },
    },
    async (request, reply) => {
      await deletePropertyValue(request.ctx, request.params.custom_property_id, request.params.entity_id)
      return reply.code(204).send(null)
    },
  )
}

/** The API contract has PUT; PATCH does the same. */
const addWriteRoutes = (app: FastifyInstance, method: 'PUT' | 'PATCH'): void => {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  const verb = method === 'PUT' ? 'Set' : 'Change'

  typed.route({
    method,
    url: valuePath,
    config: WRITE,
    schema: {
      summary: `${verb} the value of a custom property`,
      description: 'An empty string deletes the value.',
      tags,
      params: ValueParams,
      body: ValueBody,
      response: { 200: NO_CONTENT, ...errorResponses(400, 404, 412) },
    },
    handler: async (request, reply) => {
      await setValue(request.ctx, request.params.custom_property_id, request.params.entity_id, request.body.value)
      return reply.send(undefined)
    },
  })

  typed.route({
    method,
    url: bulkPath,
    config: WRITE,
    schema: {
      summary: `${verb} the values of custom properties on many resources, all or nothing`,
      description: 'Sets each value on each resource. An empty string deletes the value.',
      tags,
      body: BulkValues,
      response: { 200: NO_CONTENT, ...errorResponses(400, 404) },
    },
    handler: async (request, reply) => {
      await setValues(request.ctx, request.body)
      return reply.send(undefined)
    },
  })
}
