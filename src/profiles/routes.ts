import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { Job } from '../jobs/schema.ts'
import { Id } from '../wire.ts'
import { previewTable } from './preview.ts'
import { profileResource } from './profile.ts'
import { readProfile } from './read.ts'
import { Preview, PreviewQuery, Profile, ProfileRequest } from './schema.ts'

const tags = ['Data']
const params = Type.Object({ resource_id: Id() })

/** Doors to what data looks like. */
export const profileRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/preview_v2/table/:table_id/',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Look at the first rows of a table',
        description:
          'At most 50 rows, read from the source at this moment; nothing is kept. Columns marked PII are not read, and their cells say •••: those who may write the table can ask for them with `show_pii`, which the audit log records. To others, columns with an undecided PII suggestion are not shown either. Needs `preview_enabled` on the integration; 409 says why there is no preview.',
        tags,
        params: Type.Object({ table_id: Id() }),
        querystring: PreviewQuery,
        response: { 200: Preview, ...failures(400, 403, 404, 409) },
      },
    },
    (request) => previewTable(request.ctx, request.params.table_id, request.query.show_pii ?? false),
  )

  app.post(
    '/resource/all/:resource_id/profile',
    {
      config: { permission: 'catalog.write' },
      schema: {
        summary: 'Profile the columns of a table, or one column, in a background job',
        description:
          'Reads a sample; the whole table only when told so. Also looks for what may be personal (see `/pii/suggestions`). Of columns that are marked PII, or may be, only counts are kept.',
        tags,
        params,
        body: ProfileRequest,
        response: { 200: Job, ...failures(400, 404, 409) },
      },
    },
    (request) => profileResource(request.ctx, request.params.resource_id, request.body),
  )

  app.get(
    '/resource/all/:resource_id/profile',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Read the profile of a table’s columns, or of one column',
        description: 'As they were when they were profiled. The source is not asked.',
        tags,
        params,
        response: { 200: Profile, ...failures(404) },
      },
    },
    (request) => readProfile(request.ctx, request.params.resource_id),
  )
}
