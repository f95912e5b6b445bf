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

/** PII suggestions, rules and scans. */
export const piiRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/pii/suggestions',
    {
      config: WRITE,
      schema: {
        summary: 'List PII suggestions, highest confidence first',
        description:
          'Columns that may contain personal data, with confidence and evidence. The evidence contains patterns and counts, never values.',
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
      schema: { summary: 'Get a PII suggestion', tags, params, response: { 200: PiiSuggestion, ...failures(404) } },
    },
    (request) => readSuggestion(request.ctx, request.params.suggestion_id),
  )

  app.post(
    `${ONE}/accept`,
    {
      config: WRITE,
      schema: {
        summary: 'Accept a PII suggestion and mark the column as PII',
        description: 'The column is edited and gets a new version.',
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
        summary: 'Reject a PII suggestion',
        description: 'The column is not suggested again, unless another kind of personal data is detected later.',
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
        summary: 'Get the PII rule of an integration',
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
        summary: 'Edit the PII rule of an integration',
        description:
          'Suggestions with a confidence of at least `accept_from` are accepted automatically: pending ones immediately, new ones when they are created.',
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
        summary: 'Scan all tables of an integration for PII in a background job',
        description: 'Checks column names and 300 rows of each table.',
        tags,
        params: ofIntegration,
        response: { 200: Job, ...failures(404, 409) },
      },
    },
    (request) => scanIntegration(request.ctx, request.params.integration_id),
  )
}
