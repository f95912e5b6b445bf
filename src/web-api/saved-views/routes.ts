import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { pinView, unpinView } from './pins.ts'
import { View, ViewCreate, ViewEdit, ViewQuery } from './schema.ts'
import { createView, deleteView, editView, getView, listViews } from './views.ts'

const READ = { permission: 'self.read' } as const
const WRITE = { permission: 'self.write' } as const
const tags = ['Saved views']
const params = Type.Object({ view_id: Id() })

export const viewRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/view',
    {
      config: READ,
      schema: {
        summary: 'List your saved views and those that are shared',
        tags,
        querystring: ViewQuery,
        response: { 200: PageSchema(View, 'ViewPage'), ...errorResponses(400) },
      },
    },
    (request) => listViews(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    '/view',
    { config: WRITE, schema: { summary: 'Save a view', tags, body: ViewCreate, response: { 201: View, ...errorResponses(400, 409) } } },
    async (request, reply) => reply.code(201).send(await createView(request.ctx, request.body)),
  )

  app.get(
    '/view/:view_id',
    { config: READ, schema: { summary: 'Get a saved view', tags, params, response: { 200: View, ...errorResponses(404) } } },
    (request) => getView(request.ctx, request.params.view_id),
  )

  app.patch(
    '/view/:view_id',
    {
      config: WRITE,
      schema: { summary: 'Edit a saved view', tags, params, body: ViewEdit, response: { 200: View, ...errorResponses(400, 404, 412) } },
    },
    (request) => editView(request.ctx, request.params.view_id, request.body),
  )

  app.put(
    '/view/:view_id/pin',
    {
      config: WRITE,
      schema: { summary: 'Pin a saved view to your navigation', tags, params, response: { 200: View, ...errorResponses(404, 409) } },
    },
    (request) => pinView(request.ctx, request.params.view_id),
  )

  app.delete(
    '/view/:view_id/pin',
    { config: WRITE, schema: { summary: 'Unpin a saved view', tags, params, response: { 200: View, ...errorResponses(404) } } },
    (request) => unpinView(request.ctx, request.params.view_id),
  )

  app.delete(
    '/view/:view_id',
    {
      config: WRITE,
      schema: { summary: 'Delete a saved view', tags, params, response: { 204: Type.Null(), ...errorResponses(404, 412) } },
    },
    async (request, reply) => {
      await deleteView(request.ctx, request.params.view_id)
      return reply.code(204).send(null)
    },
  )
}
