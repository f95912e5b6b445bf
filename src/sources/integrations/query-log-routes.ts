import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { Id } from '../../platform/core/schema-types.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { UploadQuery, UploadReport } from '../query-log/schema.ts'
import { requireQueryLog, uploadQueryLog } from './query-log-upload.ts'

const MAX_FILE_BYTES = 1024 * 1024 * 1024
const DESCRIPTION = `A multipart form with a file of executed queries: CSV with a header, JSON lines, or Parquet. Columns with common names are found
automatically. Statements that differ only in literals are one. A background job derives the usage and lineage of tables from them. Sending a file again,
or another file with the same executions, does not count them twice.`

/** Upload of query logs of systems without a connector. */
export const queryLogRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(multipart, { limits: { files: 1, fileSize: MAX_FILE_BYTES, fields: 20 } })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('*', (_, __, done) => done(new ApiError('unsupported_media_type', 'Send multipart/form-data.')))

  app.post(
    '/integration/query_log/:integration_id/upload',
    {
      config: { permission: 'catalog.write', large_body: true, repeatable: true },
      bodyLimit: MAX_FILE_BYTES + 1024 * 1024,
      schema: {
        summary: 'Upload a query log',
        description: DESCRIPTION,
        tags: ['Integrations'],
        params: Type.Object({ integration_id: Id('An integration of type `query_log`.') }),
        querystring: UploadQuery,
        body: {
          content: { 'multipart/form-data': { schema: Type.Unsafe({ description: 'The file.' }) } },
          examples: ['file=@history.csv'],
        },
        response: { 200: UploadReport, ...errorResponses(400, 404, 409, 413, 415) },
      },
    },
    async (request) => {
      const { integration_id } = request.params
      await requireQueryLog(request.ctx, integration_id)
      const folder = await mkdtemp(join(tmpdir(), 'tablinum-log-'))
      try {
        const path = join(folder, 'log')
        await receiveFile(request, path)
        return await uploadQueryLog(request.ctx, integration_id, path, request.query)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
}

/** Parquet is read from its end, so the file is on disk before it is read. */
const receiveFile = async (request: FastifyRequest, path: string): Promise<void> => {
  const part = request.isMultipart() ? await request.file() : undefined
  if (!part) throw invalid({ file: [translatable('is missing.')] })
  await pipeline(part.file, createWriteStream(path))
  if (part.file.truncated)
    throw new ApiError(
      'payload_too_large',
      translatable('{name} is larger than {max} MB.', { name: 'The file', max: MAX_FILE_BYTES / 1024 / 1024 }),
    )
}
