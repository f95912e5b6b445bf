import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sendJson } from '../../platform/http/json.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, parsePageRequest } from '../../platform/lists/page.ts'
import { RankingSettings, RulesEdit, WeightsEdit } from './ranking-schema.ts'
import { getRankingSettings, setRules, setWeights } from './ranking-settings.ts'
import { SearchPage, SearchQuery, ValueQuery, ValueSuggestions } from './schema.ts'
import { parseSearchRequest, search } from './search.ts'
import { suggestValues } from './suggest-values.ts'

const MANAGE = { permission: 'search.manage' } as const

export const searchRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/search/ranking',
    {
      config: MANAGE,
      schema: {
        summary: 'Get the ranking of search',
        description: 'The weights of the score, and the resources that are pinned or hidden for a query.',
        tags: ['Search'],
        response: { 200: RankingSettings, ...errorResponses() },
      },
    },
    ({ ctx }) => getRankingSettings(ctx),
  )

  app.put(
    '/search/ranking/weights',
    {
      config: MANAGE,
      schema: {
        summary: 'Set the weights of the ranking',
        description: 'Weights that are left out get their default value.',
        tags: ['Search'],
        body: WeightsEdit,
        response: { 200: RankingSettings, ...errorResponses(400) },
      },
    },
    ({ ctx, body }) => setWeights(ctx, body),
  )

  app.put(
    '/search/ranking/rules',
    {
      config: MANAGE,
      schema: {
        summary: 'Pin and hide resources for a query',
        description: 'Replaces what is pinned and hidden for this query.',
        tags: ['Search'],
        body: RulesEdit,
        response: { 200: RankingSettings, ...errorResponses(400) },
      },
    },
    ({ ctx, body }) => setRules(ctx, body),
  )

  app.get(
    '/search/values',
    {
      config: { permission: 'catalog.read', replica: true },
      schema: {
        summary: 'Complete a field of the query language',
        description:
          'Values that can follow `type:`, `owner:`, `tag:`, `team:`, `term:`, `in:`, `is:` or `property:`, as far as the caller can see them.',
        tags: ['Search'],
        querystring: ValueQuery,
        response: { 200: ValueSuggestions, ...errorResponses(400) },
      },
    },
    async ({ ctx, query: { field, value = '' } }) => ({ results: await suggestValues(ctx, { field, value }) }),
  )

  app.get(
    '/search',
    {
      config: { permission: 'catalog.read', replica: true },
      schema: {
        summary: 'Search the catalog',
        description:
          'Finds resources by title, description, documentation and context (path, columns, tags, owners, terms, custom properties), also by synonyms, abbreviations and with typing errors. Resources with every word come first; if there are few, those with most of the words follow. `"phrase"`, `-word`, `type:`, `owner:`, `tag:`, `team:`, `term:`, `in:`, `is:` and `property:` narrow the search. Archived resources come last.',
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
