import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { PiiRule, PiiRuleEdit, PiiSuggestion, SuggestionQuery } from './pii-schema.ts'
import { editPiiRule, getPiiRule } from './rules.ts'
import { queuePiiScan } from './scan.ts'
import { acceptPiiSuggestion, getPiiSuggestion, listPiiSuggestions, rejectPiiSuggestion } from './suggestions.ts'

const tags = ['PII']
const ONE = '/pii/suggestions/:suggestion_id'
const RULE = '/pii/rules/:integration_id'
const params = Type.Object({ suggestion_id: Id() })
const integrationParams = Type.Object({ integration_id: Id() })
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
        response: { 200: PageSchema(PiiSuggestion, 'PiiSuggestionPage'), ...errorResponses(400) },
      },
    },
    (request) => listPiiSuggestions(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.get(
    ONE,
    {
      config: WRITE,
      schema: { summary: 'Get a PII suggestion', tags, params, response: { 200: PiiSuggestion, ...errorResponses(404) } },
    },
    (request) => getPiiSuggestion(request.ctx, request.params.suggestion_id),
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
        response: { 200: PiiSuggestion, ...errorResponses(404, 409) },
      },
    },
    (request) => acceptPiiSuggestion(request.ctx, request.params.suggestion_id),
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
        response: { 200: PiiSuggestion, ...errorResponses(404, 409) },
      },
    },
    (request) => rejectPiiSuggestion(request.ctx, request.params.suggestion_id),
  )

  app.get(
    RULE,
    {
      config: { permission: 'integrations.read' },
      schema: {
        summary: 'Get the PII rule of an integration',
        tags,
        params: integrationParams,
        response: { 200: PiiRule, ...errorResponses(404) },
      },
    },
    (request) => getPiiRule(request.ctx, request.params.integration_id),
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
        params: integrationParams,
        body: PiiRuleEdit,
        response: { 200: PiiRule, ...errorResponses(400, 404) },
      },
    },
    (request) => editPiiRule(request.ctx, request.params.integration_id, request.body),
  )

  app.post(
    '/pii/scan/:integration_id',
    {
      config: { permission: 'integrations.manage' },
      schema: {
        summary: 'Scan all tables of an integration for PII in a background job',
        description: 'Checks column names and 300 rows of each table.',
        tags,
        params: integrationParams,
        response: { 200: Job, ...errorResponses(404, 409) },
      },
    },
    (request) => queuePiiScan(request.ctx, request.params.integration_id),
  )
}
