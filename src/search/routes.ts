import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sendJson } from '../http/json.ts'
import { failures } from '../http/openapi.ts'
import { addressOf, pageRequest } from '../lists/page.ts'
import { SearchPage, SearchQuery } from './schema.ts'
import { search, searchRequest } from './search.ts'

export const searchRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/search',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Search the catalog',
        description:
          'Every word must be found; the last one may be unfinished. An exact title comes first, then its beginning, words side by side in it, words anywhere in it, the description, the documentation; inside each the most used come first, archived ones last of all.',
        tags: ['Search'],
        querystring: SearchQuery,
        response: { 200: SearchPage, ...failures(400) },
      },
    },
    async (request, reply) =>
      sendJson(
        reply,
        await search(request.ctx, await searchRequest(request.ctx, request.query, pageRequest(request.query, addressOf(request)))),
      ),
  )
}
