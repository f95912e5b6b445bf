import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { View, ViewCreate, ViewEdit, ViewQuery } from './schema.ts'
import { createView, editView, listViews, readView, removeView } from './views.ts'

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
        response: { 200: PageOf(View, 'ViewPage'), ...failures(400) },
      },
    },
    (request) => listViews(request.ctx, request.query, pageRequest(request.query, addressOf(request))),
  )

  app.post(
    '/view',
    { config: WRITE, schema: { summary: 'Save a view', tags, body: ViewCreate, response: { 201: View, ...failures(400, 409) } } },
    async (request, reply) => reply.code(201).send(await createView(request.ctx, request.body)),
  )

  app.get(
    '/view/:view_id',
    { config: READ, schema: { summary: 'Read a saved view', tags, params, response: { 200: View, ...failures(404) } } },
    (request) => readView(request.ctx, request.params.view_id),
  )

  app.patch(
    '/view/:view_id',
    {
      config: WRITE,
      schema: { summary: 'Edit a saved view', tags, params, body: ViewEdit, response: { 200: View, ...failures(400, 404, 412) } },
    },
    (request) => editView(request.ctx, request.params.view_id, request.body),
  )

  app.delete(
    '/view/:view_id',
    { config: WRITE, schema: { summary: 'Delete a saved view', tags, params, response: { 204: Type.Null(), ...failures(404, 412) } } },
    async (request, reply) => {
      await removeView(request.ctx, request.params.view_id)
      return reply.code(204).send(null)
    },
  )
}
