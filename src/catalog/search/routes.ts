import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sendJson } from '../../platform/http/json.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, parsePageRequest } from '../../platform/lists/page.ts'
import { SearchPage, SearchQuery } from './schema.ts'
import { parseSearchRequest, search } from './search.ts'

export const searchRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/search',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Search the catalog',
        description:
          'Every word must match; the last one may be a prefix. Results are ranked by where they match: exact title, start of the title, phrase in the title, words in the title, description, documentation. Within each rank the most used resources come first. Archived resources come last.',
        tags: ['Search'],
        querystring: SearchQuery,
        response: { 200: SearchPage, ...errorResponses(400) },
      },
    },
    async (request, reply) =>
      sendJson(
        reply,
        await search(
          request.ctx,
          await parseSearchRequest(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
        ),
      ),
  )
}
