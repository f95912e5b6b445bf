import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { createCustomProperty, deleteCustomProperty, editCustomProperty, MAX_SYNCHRONOUS_VALUES, replaceCustomProperty } from './define.ts'
import { getCustomProperty, listCustomProperties } from './find.ts'
import { CustomProperty, PropertyCreate, PropertyEdit, PropertyParams } from './schema.ts'

const NAMES = ['custom_property_id']
const READ = { permission: 'catalog.read', names: NAMES } as const
const WRITE = { permission: 'catalog.write', names: NAMES } as const
const tags = ['Custom properties']

/** Endpoints for property definitions. A property is identified by its ID or name. */
export const propertyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const all = '/resource/all_v2/custom_properties/'
  const one = '/resource/all_v2/custom_properties/:custom_property_id'

  app.get(
    all,
    {
      config: READ,
      schema: {
        summary: 'List the custom properties',
        description: 'Returns all custom properties, ordered by name.',
        tags,
        response: { 200: Type.Array(CustomProperty), ...errorResponses() },
      },
    },
    (request) => listCustomProperties(request.ctx),
  )

  app.post(
    all,
    {
      config: WRITE,
      schema: {
        summary: 'Create a custom property',
        tags,
        body: PropertyCreate,
        response: { 200: CustomProperty, ...errorResponses(400, 409) },
      },
    },
    (request) => createCustomProperty(request.ctx, request.body),
  )

  app.get(
    one,
    {
      config: READ,
      schema: {
        summary: 'Get a custom property',
        tags,
        params: PropertyParams,
        response: { 200: CustomProperty, ...errorResponses(404) },
      },
    },
    (request) => getCustomProperty(request.ctx, request.params.custom_property_id),
  )

  app.put(
    one,
    {
      config: WRITE,
      schema: {
        summary: 'Replace a custom property',
        description:
          'Existing values must be valid for the new definition. Without `entity_types` the property applies to every type; without `options` the options are unchanged.',
        tags,
        params: PropertyParams,
        body: PropertyCreate,
        response: { 200: CustomProperty, ...errorResponses(400, 404, 409, 412) },
      },
    },
    (request) => replaceCustomProperty(request.ctx, request.params.custom_property_id, request.body),
  )

  app.patch(
    one,
    {
      config: WRITE,
      schema: {
        summary: 'Edit a custom property',
        description: 'Existing values must be valid for the new definition.',
        tags,
        params: PropertyParams,
        body: PropertyEdit,
        response: { 200: CustomProperty, ...errorResponses(400, 404, 409, 412) },
      },
    },
    (request) => editCustomProperty(request.ctx, request.params.custom_property_id, request.body),
  )

  app.delete(
    one,
    {
      config: WRITE,
      schema: {
        summary: 'Delete a custom property and its values',
        description: `The response is 204. A property with more than ${MAX_SYNCHRONOUS_VALUES.toLocaleString('en')} values is deleted by a background job: the response is 202 with the job.`,
        tags,
        params: PropertyParams,
        response: { 202: Job, 204: Type.Null(), ...errorResponses(404, 412) },
      },
    },
    async (request, reply) => {
      const job = await deleteCustomProperty(request.ctx, request.params.custom_property_id)
      return job ? reply.code(202).send(job) : reply.code(204).send(null)
    },
  )
}
