import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import type { Permission } from '../../platform/permissions/permissions.ts'
import { getColumnTrends, getProfileHistory } from './history.ts'
import { previewTable } from './preview.ts'
import { queueProfile } from './profile.ts'
import { getProfile } from './read.ts'
import { deleteProfileSchedule, getProfileSchedule, type ScheduleTarget, saveProfileSchedule } from './schedules.ts'
import {
  ColumnTrends,
  Preview,
  PreviewQuery,
  Profile,
  ProfileHistory,
  ProfileHistoryQuery,
  ProfileRequest,
  ProfileSchedule,
  ProfileScheduleEdit,
} from './schema.ts'

const tags = ['Data']
const params = Type.Object({ resource_id: Id() })

/** Previews and profiles. */
export const profileRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/preview_v2/table/:table_id/',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Preview the first rows of a table',
        description:
          'At most 50 rows, read live from the source and not stored: the first ones, or those of a sort order and a filter. Columns marked as PII are not read, and their cells contain •••; users who can edit the table can request them with `show_pii`, which is recorded in the audit log. For other users, columns with a pending PII suggestion are hidden as well. Requires `preview_enabled` on the integration; 409 explains why there is no preview.',
        tags,
        params: Type.Object({ table_id: Id() }),
        querystring: PreviewQuery,
        response: { 200: Preview, ...errorResponses(400, 403, 404, 409) },
      },
    },
    (request) => previewTable(request.ctx, request.params.table_id, request.query),
  )

  app.post(
    '/resource/all/:resource_id/profile',
    {
      config: { permission: 'catalog.write' },
      schema: {
        summary: 'Profile a table or column in a background job',
        description:
          'Reads a sample, or the whole table if requested. Also detects personal data (see `/pii/suggestions`). For columns that are or may be PII, only counts are stored.',
        tags,
        params,
        body: ProfileRequest,
        response: { 200: Job, ...errorResponses(400, 404, 409) },
      },
    },
    (request) => queueProfile(request.ctx, request.params.resource_id, request.body),
  )

  app.get(
    '/resource/all/:resource_id/profile',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Get the profile of a table or column',
        description: 'The stored profile. The source is not queried.',
        tags,
        params,
        response: { 200: Profile, ...errorResponses(404) },
      },
    },
    (request) => getProfile(request.ctx, request.params.resource_id),
  )

  app.get(
    '/resource/all/:resource_id/profile/history',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Get the profiles of a table or column over time',
        description: 'Row counts of a table, nulls and distinct values of a column: the last profile of each day.',
        tags,
        params,
        querystring: ProfileHistoryQuery,
        response: { 200: ProfileHistory, ...errorResponses(400, 404) },
      },
    },
    (request) => getProfileHistory(request.ctx, request.params.resource_id, request.query.days ?? DEFAULT_DAYS),
  )

  app.get(
    '/resource/all/:resource_id/profile/trends',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Get nulls and distinct values of the columns of a table over time',
        description: 'The last profiles of all columns in one response, for small charts. Counts only, never values.',
        tags,
        params,
        response: { 200: ColumnTrends, ...errorResponses(404) },
      },
    },
    (request) => getColumnTrends(request.ctx, request.params.resource_id),
  )

  scheduleRoutes(app, 'table', '/resource/all/:resource_id/profile/schedule', 'catalog.read', 'catalog.write')
  scheduleRoutes(
    app,
    'integration',
    '/integration/integrations/:integration_id/profile_schedule',
    'integrations.read',
    'integrations.manage',
  )
}

/** The regular profiles of a table, or of all tables of an integration. */
const scheduleRoutes = (
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  type: ScheduleTarget['type'],
  path: string,
  reads: Permission,
  writes: Permission,
): void => {
  const what = type === 'table' ? 'a table' : 'all tables of an integration'
  const params = type === 'table' ? Type.Object({ resource_id: Id() }) : Type.Object({ integration_id: Id() })
  const toTarget = (given: Static<typeof params>): ScheduleTarget => ({
    type,
    id: 'resource_id' in given ? given.resource_id : given.integration_id,
  })
  app.get(
    path,
    {
      config: { permission: reads },
      schema: {
        summary: `Get the regular profiles of ${what}`,
        description: 'Without a schedule, `schedule` is null.',
        tags,
        params,
        response: { 200: ProfileSchedule, ...errorResponses(404) },
      },
    },
    (request) => getProfileSchedule(request.ctx, toTarget(request.params)),
  )
  app.put(
    path,
    {
      config: { permission: writes },
      schema: {
        summary: `Profile ${what} regularly`,
        ...(type === 'table' && { description: '409 if the table has no source that can be queried.' }),
        tags,
        params,
        body: ProfileScheduleEdit,
        response: { 200: ProfileSchedule, ...errorResponses(400, 404, 409) },
      },
    },
    (request) => saveProfileSchedule(request.ctx, toTarget(request.params), request.body),
  )
  app.delete(
    path,
    {
      config: { permission: writes },
      schema: {
        summary: `Stop the regular profiles of ${what}`,
        tags,
        params,
        response: { 204: Type.Null(), ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      await deleteProfileSchedule(request.ctx, toTarget(request.params))
      return reply.code(204).send(null)
    },
  )
}

const DEFAULT_DAYS = 90
