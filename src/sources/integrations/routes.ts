import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id, Nullable } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { cancelSync } from './cancel.ts'
import { createIntegration } from './create.ts'
import { deleteIntegration } from './delete.ts'
import { editIntegration } from './edit.ts'
import { listLosses } from './losses.ts'
import { matchNewPatterns, matchPatterns } from './match-patterns.ts'
import { getIntegration, listIntegrations, listIntegrationTypes } from './read.ts'
import {
  Integration,
  IntegrationCreate,
  IntegrationEdit,
  IntegrationQuery,
  IntegrationTypeRecord,
  Loss,
  PatternMatches,
  PatternQuery,
  Sync,
  SyncRequest,
  Tested,
} from './schema.ts'
import { syncIntegration, testIntegration, testNewIntegration } from './sync.ts'
import { listSyncs } from './sync-records.ts'
import { undoIntegrationSync } from './undo.ts'

const PATH = '/integration/integrations'
const ONE = `${PATH}/:integration_id` as const
const params = Type.Object({ integration_id: Id() })
const READ = { permission: 'integrations.read' } as const
const MANAGE = { permission: 'integrations.manage' } as const
const tags = ['Integrations']

export const integrationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/integration/types',
    {
      config: READ,
      schema: {
        summary: 'List integration types and their credential fields',
        tags,
        response: { 200: Type.Array(IntegrationTypeRecord), ...errorResponses() },
      },
    },
    (request) => listIntegrationTypes(request.ctx),
  )

  app.get(
    PATH,
    {
      config: READ,
      schema: {
        summary: 'List integrations by name',
        tags,
        querystring: IntegrationQuery,
        response: { 200: PageSchema(Integration, 'IntegrationPage'), ...errorResponses(400) },
      },
    },
    (request) => listIntegrations(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    PATH,
    {
      config: MANAGE,
      schema: {
        summary: 'Create an integration',
        description: 'Without `credentials` the integration is not connected; it can still push metadata.',
        tags,
        body: IntegrationCreate,
        response: { 201: Integration, ...errorResponses(400, 409) },
      },
    },
    async (request, reply) => reply.code(201).send(await createIntegration(request.ctx, request.body)),
  )

  app.get(
    ONE,
    { config: READ, schema: { summary: 'Get an integration', tags, params, response: { 200: Integration, ...errorResponses(404) } } },
    (request) => getIntegration(request.ctx, request.params.integration_id),
  )

  app.patch(
    ONE,
    {
      config: MANAGE,
      schema: {
        summary: 'Edit an integration',
        description:
          'Each field of `credentials` is edited separately: absent fields are unchanged, null clears a field; `credentials: null` clears all of them.',
        tags,
        params,
        body: IntegrationEdit,
        response: { 200: Integration, ...errorResponses(400, 404, 409, 412) },
      },
    },
    (request) => editIntegration(request.ctx, request.params.integration_id, request.body),
  )

  app.delete(
    ONE,
    {
      config: MANAGE,
      schema: {
        summary: 'Delete an integration with its resources and all their descendants',
        description: 'Up to 1,000 resources are deleted immediately (204). More are deleted in a background job (202 with the job).',
        tags,
        params,
        response: { 202: Job, 204: Type.Null(), ...errorResponses(404, 412) },
      },
    },
    async (request, reply) => {
      const job = await deleteIntegration(request.ctx, request.params.integration_id)
      return job ? reply.code(202).send(job) : reply.code(204).send(null)
    },
  )

  app.post(
    `${PATH}/test`,
    {
      config: { ...MANAGE, idempotency: 'record' },
      schema: {
        summary: 'Test a connection before it is saved',
        description: 'Takes what creates an integration. Nothing is stored. A failed test returns 400 with the reason.',
        tags,
        body: IntegrationCreate,
        response: { 200: Tested, ...errorResponses(400, 409) },
      },
    },
    (request) => testNewIntegration(request.ctx, request.body),
  )

  app.post(
    `${PATH}/patterns`,
    {
      config: { ...MANAGE, idempotency: 'record' },
      schema: {
        summary: 'List what a source has before it is saved',
        description:
          'Takes what creates an integration. Nothing is stored. Tells for each table, dashboard or job whether the patterns include it.',
        tags,
        body: IntegrationCreate,
        response: { 200: PatternMatches, ...errorResponses(400, 409) },
      },
    },
    (request) => matchNewPatterns(request.ctx, request.body),
  )

  app.post(
    `${ONE}/test`,
    {
      config: { ...MANAGE, idempotency: 'record' },
      schema: {
        summary: 'Test the connection to the source',
        description: 'A failed test returns 400 with the reason.',
        tags,
        params,
        response: { 200: Tested, ...errorResponses(400, 404, 409) },
      },
    },
    (request) => testIntegration(request.ctx, request.params.integration_id),
  )

  app.post(
    `${ONE}/patterns`,
    {
      config: { ...MANAGE, idempotency: 'record' },
      schema: {
        summary: 'Preview what include and exclude patterns match',
        description:
          'Lists the source now, without writing anything, and tells for each table, dashboard or job whether the patterns include it.',
        tags,
        params,
        body: Nullable(PatternQuery),
        response: { 200: PatternMatches, ...errorResponses(400, 404, 409) },
      },
    },
    (request) => matchPatterns(request.ctx, request.params.integration_id, request.body ?? {}),
  )

  app.post(
    `${ONE}/sync`,
    {
      config: MANAGE,
      schema: {
        summary: 'Sync the catalog with the source in a background job',
        description:
          'If a sync is already queued or running, that one is returned. When the source lists nothing, or less than half of what it listed before, the sync fails with `needs_confirmation` and marks nothing as stale.',
        tags,
        params,
        body: Nullable(SyncRequest),
        response: { 200: Job, ...errorResponses(400, 404, 409) },
      },
    },
    (request) => syncIntegration(request.ctx, request.params.integration_id, request.body ?? {}),
  )

  app.get(
    `${ONE}/syncs`,
    {
      config: READ,
      schema: {
        summary: 'List the syncs of an integration, newest first',
        tags,
        params,
        querystring: PageQuery,
        response: { 200: PageSchema(Sync, 'SyncPage'), ...errorResponses(400, 404) },
      },
    },
    (request) => listSyncs(request.ctx, request.params.integration_id, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.get(
    `${ONE}/losses`,
    {
      config: READ,
      schema: {
        summary: 'List what the last sync could not take over',
        description: 'For integrations that receive the metadata of another catalog: each line names what is missing and why.',
        tags,
        params,
        querystring: PageQuery,
        response: { 200: PageSchema(Loss, 'LossPage'), ...errorResponses(400, 404) },
      },
    },
    (request) => listLosses(request.ctx, request.params.integration_id, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    `${ONE}/sync/:sync_id/cancel`,
    {
      config: MANAGE,
      schema: {
        summary: 'Cancel a queued or running sync',
        description: 'It stops within seconds. What it had already written stays, and nothing is marked as stale.',
        tags,
        params: Type.Object({ integration_id: Id(), sync_id: Id('The job of the sync.') }),
        response: { 200: Job, ...errorResponses(404, 409) },
      },
    },
    (request) => cancelSync(request.ctx, request.params.integration_id, request.params.sync_id),
  )

  app.post(
    `${ONE}/sync/:sync_id/undo`,
    {
      config: MANAGE,
      schema: {
        summary: 'Undo a sync in a background job',
        description:
          'Fields that still have the value the sync wrote are reset to their previous value; resources the sync created are deleted unless a user has edited them. Reset values count as edited by a user.',
        tags,
        params: Type.Object({ integration_id: Id(), sync_id: Id('The job of the sync.') }),
        response: { 200: Job, ...errorResponses(404, 409) },
      },
    },
    (request) => undoIntegrationSync(request.ctx, request.params.integration_id, request.params.sync_id),
  )
}
