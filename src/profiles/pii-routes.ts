import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { Job } from '../jobs/schema.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { acceptSuggestion, listSuggestions, readSuggestion, rejectSuggestion } from './decide.ts'
import { PiiRule, PiiRuleEdit, PiiSuggestion, SuggestionQuery } from './pii-schema.ts'
import { editRule, readRule } from './rules.ts'
import { scanIntegration } from './scan.ts'

const tags = ['PII']
const ONE = '/pii/suggestions/:suggestion_id'
const RULE = '/pii/rules/:integration_id'
const params = Type.Object({ suggestion_id: Id() })
const ofIntegration = Type.Object({ integration_id: Id() })
const WRITE = { permission: 'catalog.write' } as const

/** Doors to what may be personal. */
export const piiRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/pii/suggestions',
    {
      config: WRITE,
      schema: {
        summary: 'List columns that may hold personal data, the surest first',
        description: 'With how sure and why. The evidence holds shapes and counts, never a value.',
        tags,
        querystring: SuggestionQuery,
        response: { 200: PageOf(PiiSuggestion, 'PiiSuggestionPage'), ...failures(400) },
      },
    },
    (request) => listSuggestions(request.ctx, request.query, pageRequest(request.query, addressOf(request))),
  )

  app.get(
    ONE,
    {
      config: WRITE,
      schema: { summary: 'Read a suggestion', tags, params, response: { 200: PiiSuggestion, ...failures(404) } },
    },
    (request) => readSuggestion(request.ctx, request.params.suggestion_id),
  )

  app.post(
    `${ONE}/accept`,
    {
      config: WRITE,
      schema: {
        summary: 'Accept a suggestion: the column is marked PII',
        description: 'An edit as any other, with its version.',
        tags,
        params,
        response: { 200: PiiSuggestion, ...failures(404, 409) },
      },
    },
    (request) => acceptSuggestion(request.ctx, request.params.suggestion_id),
  )

  app.post(
    `${ONE}/reject`,
    {
      config: WRITE,
      schema: {
        summary: 'Reject a suggestion',
        description: 'It does not come back, unless the column looks like something else one day.',
        tags,
        params,
        response: { 200: PiiSuggestion, ...failures(404, 409) },
      },
    },
    (request) => rejectSuggestion(request.ctx, request.params.suggestion_id),
  )

  app.get(
    RULE,
    {
      config: { permission: 'integrations.read' },
      schema: {
        summary: 'Read what happens by itself with suggestions of an integration',
        tags,
        params: ofIntegration,
        response: { 200: PiiRule, ...failures(404) },
      },
    },
    (request) => readRule(request.ctx, request.params.integration_id),
  )

  app.patch(
    RULE,
    {
      config: { permission: 'integrations.manage' },
      schema: {
        summary: 'Set what happens by itself with suggestions of an integration',
        description: 'Suggestions at least as sure as `accept_from` are accepted: those that are open at once, others as they come.',
        tags,
        params: ofIntegration,
        body: PiiRuleEdit,
        response: { 200: PiiRule, ...failures(400, 404) },
      },
    },
    (request) => editRule(request.ctx, request.params.integration_id, request.body),
  )

  app.post(
    '/pii/scan/:integration_id',
    {
      config: { permission: 'integrations.manage' },
      schema: {
        summary: 'Look for personal data in every table of an integration, in a background job',
        description: 'By the names of columns and by 300 rows of each table.',
        tags,
        params: ofIntegration,
        response: { 200: Job, ...failures(404, 409) },
      },
    },
    (request) => scanIntegration(request.ctx, request.params.integration_id),
  )
}
