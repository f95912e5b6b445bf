import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { getImport, listImports, startImportUndo } from './imports.ts'
import { previewImportUndo } from './preview-undo.ts'
import { ImportDetails, ImportRecord, ImportUndo } from './schema.ts'

const tags = ['Import and export']
const config = { permission: 'catalog.write' } as const
const params = Type.Object({ import_id: Id() })

export const importsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/imports',
    {
      config,
      schema: {
        summary: 'List imports, newest first',
        description: 'Imports of files that wrote something. Admins see every import, others their own.',
        tags,
        querystring: PageQuery,
        response: { 200: PageSchema(ImportRecord, 'ImportPage'), ...errorResponses(400) },
      },
    },
    (request) => listImports(request.ctx, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.get(
    '/imports/:import_id',
    { config, schema: { summary: 'Get an import', tags, params, response: { 200: ImportDetails, ...errorResponses(404) } } },
    (request) => getImport(request.ctx, request.params.import_id),
  )

  app.post(
    '/imports/:import_id/undo',
    {
      config,
      schema: {
        summary: 'Undo an import in a background job',
        description: `Within 90 days, by the person who imported the file or an admin. Resources the import created are moved to the trash, and what it changed gets the value it had before, custom property values and lineage too, with the permissions of the caller today. Whatever was changed since is kept: \`dry_run\` lists it. The job can be cancelled; what it has undone stays undone, and another undo continues.`,
        tags,
        params,
        querystring: Type.Object({
          dry_run: Type.Optional(
            Type.Boolean({ default: false, description: 'Returns what would be restored and what would be kept, and changes nothing.' }),
          ),
        }),
        response: { 200: ImportUndo, 202: Job, ...errorResponses(404, 409) },
      },
    },
    async (request, reply) =>
      request.query.dry_run
        ? reply.code(200).send(await previewImportUndo(request.ctx, request.params.import_id))
        : reply.code(202).send(await startImportUndo(request.ctx, request.params.import_id)),
  )
}
