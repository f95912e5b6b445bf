import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Accepted, SuggestionAccept, SuggestionQuery, Suggestions } from './schema.ts'
import { acceptSuggestions, getMonitorSuggestions } from './suggest.ts'

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
        response: { 200: Suggestions, ...errorResponses(400, 404) },
      },
    },
    (request) => getMonitorSuggestions(request.ctx, request.query.resource_id),
  )

  app.post(
    PATH,
    {
      config: { permission: 'monitors.write' },
      schema: {
        summary: 'Create monitors from suggestions',
        tags,
        body: SuggestionAccept,
        response: { 201: Accepted, ...errorResponses(400, 404, 409) },
      },
    },
    async (request, reply) => reply.code(201).send(await acceptSuggestions(request.ctx, request.body)),
  )
}
