import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { failures } from '../http/openapi.ts'
import { Accepted, SuggestionAccept, SuggestionQuery, Suggestions } from './suggest/schema.ts'
import { acceptSuggestions, readSuggestions } from './suggest/suggest.ts'

const PATH = '/monitor/suggestions'
const tags = ['Monitors']

/** Monitor suggestions for a table. */
export const suggestRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    PATH,
    {
      config: { permission: 'monitors.config' },
      schema: {
        summary: 'List monitor suggestions for a table',
        description:
          'Suggestions are based on the table’s columns and their profiles, its usage and its downstream resources. Each has a reason.',
        tags,
        querystring: SuggestionQuery,
        response: { 200: Suggestions, ...failures(400, 404) },
      },
    },
    (request) => readSuggestions(request.ctx, request.query.resource_id),
  )

  app.post(
    PATH,
    {
      config: { permission: 'monitors.write' },
      schema: {
        summary: 'Create monitors from suggestions',
        tags,
        body: SuggestionAccept,
        response: { 201: Accepted, ...failures(400, 404, 409) },
      },
    },
    async (request, reply) => reply.code(201).send(await acceptSuggestions(request.ctx, request.body)),
  )
}
