import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { dismissTerm } from './dismiss-term.ts'
import { ChangeSuggestion, ChangeSuggestionCreate, ChangeSuggestionEdit, ChangeSuggestionQuery } from './schema.ts'
import {
  acceptChangeSuggestion,
  editChangeSuggestion,
  getChangeSuggestion,
  listChangeSuggestions,
  rejectChangeSuggestion,
  suggestChange,
} from './suggestions.ts'

const tags = ['Suggested changes']
const PATH = '/change_suggestions'
const ONE = `${PATH}/:change_suggestion_id` as const
const params = Type.Object({ change_suggestion_id: Id() })
const READ = { permission: 'catalog.read' } as const
const WRITE = { permission: 'catalog.write' } as const

/** Changes that users and agents suggest and people accept or reject. */
export const changeSuggestionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    PATH,
    {
      config: READ,
      schema: {
        summary: 'List suggested changes, newest first',
        description: 'Users who can edit see the suggestions for all resources they see; others see their own.',
        tags,
        querystring: ChangeSuggestionQuery,
        response: { 200: PageSchema(ChangeSuggestion, 'ChangeSuggestionPage'), ...errorResponses(400) },
      },
    },
    (request) => listChangeSuggestions(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    PATH,
    {
      config: { permission: 'questions.ask' },
      schema: {
        summary: 'Suggest a change',
        description: 'Nothing is changed until a person accepts it. Suggesting the same again returns the open suggestion.',
        tags,
        body: ChangeSuggestionCreate,
        response: { 201: ChangeSuggestion, ...errorResponses(400, 404, 409) },
      },
    },
    async (request, reply) => reply.code(201).send(await suggestChange(request.ctx, request.body)),
  )

  app.get(
    ONE,
    {
      config: READ,
      schema: { summary: 'Get a suggested change', tags, params, response: { 200: ChangeSuggestion, ...errorResponses(404) } },
    },
    (request) => getChangeSuggestion(request.ctx, request.params.change_suggestion_id),
  )

  app.patch(
    ONE,
    {
      config: WRITE,
      schema: {
        summary: 'Edit an open suggestion before it is accepted',
        tags,
        params,
        body: ChangeSuggestionEdit,
        response: { 200: ChangeSuggestion, ...errorResponses(400, 404, 409) },
      },
    },
    (request) => editChangeSuggestion(request.ctx, request.params.change_suggestion_id, request.body),
  )

  app.post(
    `${ONE}/accept`,
    {
      config: WRITE,
      schema: {
        summary: 'Accept a suggested change and apply it',
        description: 'The resource is edited as by you and gets a new version.',
        tags,
        params,
        response: { 200: ChangeSuggestion, ...errorResponses(404, 409) },
      },
    },
    (request) => acceptChangeSuggestion(request.ctx, request.params.change_suggestion_id),
  )

  app.post(
    `${ONE}/reject`,
    {
      config: WRITE,
      schema: { summary: 'Reject a suggested change', tags, params, response: { 200: ChangeSuggestion, ...errorResponses(404, 409) } },
    },
    (request) => rejectChangeSuggestion(request.ctx, request.params.change_suggestion_id),
  )

  app.post(
    '/resource/all/:resource_id/term_suggestions/:term_id/dismiss',
    {
      config: WRITE,
      schema: {
        summary: 'Dismiss a suggested glossary term',
        description: 'Recorded as a rejected suggestion; the term is not suggested for this resource again. 404 if it is not suggested.',
        tags: ['Glossary'],
        params: Type.Object({ resource_id: Id(), term_id: Id() }),
        response: { 200: ChangeSuggestion, ...errorResponses(404) },
      },
    },
    (request) => dismissTerm(request.ctx, request.params.resource_id, request.params.term_id),
  )
}
