import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { NamedLikeTerm, TermSuggestions, TermUsage } from './schema.ts'
import { suggestTerms } from './term-suggestions.ts'
import { findNamedLikeTerm, getTermUsage } from './terms.ts'

const TermParams = Type.Object({ glossary_id: Id() })
const READ = { permission: 'catalog.read' } as const
const tags = ['Glossary']

export const glossaryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/glossary/:glossary_id/usage',
    {
      config: READ,
      schema: {
        summary: 'Count the resources with a glossary term',
        description: 'The resources themselves are in `/resource/catalog` with a filter on `terms`.',
        tags,
        params: TermParams,
        response: { 200: TermUsage, ...errorResponses(404) },
      },
    },
    (request) => getTermUsage(request.ctx, request.params.glossary_id),
  )

  app.get(
    '/glossary/:glossary_id/named_alike',
    {
      config: READ,
      schema: {
        summary: 'Find resources named like a glossary term',
        description:
          'Tables, columns, dashboards, charts, reports and events whose name has the words of the term or of a synonym, and that do not have the term.',
        tags,
        params: TermParams,
        response: { 200: NamedLikeTerm, ...errorResponses(404) },
      },
    },
    (request) => findNamedLikeTerm(request.ctx, request.params.glossary_id),
  )

  app.get(
    '/resource/all/:resource_id/term_suggestions',
    {
      config: READ,
      schema: {
        summary: 'Suggest glossary terms for a resource and its columns',
        description:
          'Terms with the same words in their title or in a synonym as the name of the resource or column, and terms of what it repeats: the nearest columns upstream with terms whose values it passes on unchanged, or the one table whose rows it has. Terms that were rejected for it are left out.',
        tags,
        params: Type.Object({ resource_id: Id() }),
        response: { 200: TermSuggestions, ...errorResponses(404) },
      },
    },
    (request) => suggestTerms(request.ctx, request.params.resource_id),
  )
}
