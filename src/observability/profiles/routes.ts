import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { previewTable } from './preview.ts'
import { queueProfile } from './profile.ts'
import { getProfile } from './read.ts'
import { Preview, PreviewQuery, Profile, ProfileRequest } from './schema.ts'

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
          'At most 50 rows, read live from the source and not stored. Columns marked as PII are not read, and their cells contain •••; users who can edit the table can request them with `show_pii`, which is recorded in the audit log. For other users, columns with a pending PII suggestion are hidden as well. Requires `preview_enabled` on the integration; 409 explains why there is no preview.',
        tags,
        params: Type.Object({ table_id: Id() }),
        querystring: PreviewQuery,
        response: { 200: Preview, ...errorResponses(400, 403, 404, 409) },
      },
    },
    (request) => previewTable(request.ctx, request.params.table_id, request.query.show_pii ?? false),
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
}
