import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id, OneOf } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getNeedsYou, hideNeed, unhideNeed } from './needs-you.ts'
import { NEED_KINDS, NeedHide, NeedsYou, NeedsYouQuery } from './schema.ts'

const tags = ['Needs you']
const WRITE = { permission: 'self.write' } as const

/** What waits for the caller. */
export const needsYouRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/needs_you',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'List what waits for you',
        description: 'Incidents, questions, suggestions and gaps in what you own, cut to what you can see.',
        tags,
        querystring: NeedsYouQuery,
        response: { 200: NeedsYou, ...errorResponses(400) },
      },
    },
    (request) => getNeedsYou(request.ctx, request.query),
  )

  app.post(
    '/needs_you/hidden',
    {
      config: WRITE,
      schema: {
        summary: 'Hide an entry from your list, for good or until a time',
        description: 'Only your own list changes: nothing is resolved or answered.',
        tags,
        body: NeedHide,
        response: { 204: Type.Null(), ...errorResponses(400) },
      },
    },
    async (request, reply) => {
      await hideNeed(request.ctx, request.body)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/needs_you/hidden/:kind/:item_id',
    {
      config: WRITE,
      schema: {
        summary: 'Show a hidden entry again',
        tags,
        params: Type.Object({ kind: OneOf(NEED_KINDS), item_id: Id() }),
        response: { 204: Type.Null(), ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      await unhideNeed(request.ctx, { kind: request.params.kind, id: request.params.item_id })
      return reply.code(204).send(null)
    },
  )
}
