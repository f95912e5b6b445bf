import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError, type FieldErrors, invalid } from '../../platform/core/errors.ts'
import { Id } from '../../platform/core/schema-types.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { withFormErrors } from '../../platform/http/form-errors.ts'
import { idempotentTransaction } from '../../platform/http/idempotency.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { ARTIFACT_FILES, MAX_ARTIFACT_BYTES } from '../dbt/reader.ts'
import { requireArtifactUpload, uploadArtifacts } from './dbt-upload.ts'

const DESCRIPTION = `A multipart form with \`manifest.json\` (version 1 or later, written by dbt 0.19 or later) and optionally \`catalog.json\`,
\`run_results.json\` and \`sources.json\`. Files are identified by file name or by field name. Files that are not sent keep their last uploaded version.
Returns the background job that syncs the catalog.`

/** Upload of dbt artifacts, e.g. from a pipeline after \`dbt build\`. */
export const dbtRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(multipart, { limits: { files: ARTIFACT_FILES.length, fileSize: MAX_ARTIFACT_BYTES, fields: 20 } })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('*', (_, __, done) => done(new ApiError('unsupported_media_type', 'Send multipart/form-data.')))

  app.post(
    '/integration/dbt/:integration_id/upload_artifacts/',
    {
      config: { permission: 'catalog.write', large_body: true, idempotency: 'streamed' },
      bodyLimit: 2 * MAX_ARTIFACT_BYTES,
      schema: {
        summary: 'Upload the artifacts of a dbt project',
        description: DESCRIPTION,
        tags: ['Integrations'],
        params: Type.Object({ integration_id: Id('An integration of type `dbt`.') }),
        body: {
          content: { 'multipart/form-data': { schema: Type.Unsafe({ description: 'The artifact files.' }) } },
          examples: ['manifest.json=@target/manifest.json'],
        },
        response: { 200: Job, ...errorResponses(400, 404, 409, 413, 415) },
      },
    },
    async (request) => {
      const { integration_id } = request.params
      await requireArtifactUpload(request.ctx, integration_id)
      const hash = createHash('sha256').update(request.url)
      const files = await readFiles(request, (chunk) => hash.update(chunk))
      // An Idempotency-Key is bound to the files.
      return uploadArtifacts(request.ctx, integration_id, files, idempotentTransaction(request, hash.digest()))
    },
  )
}

/** The files of the form, compressed while they are received, because manifests are highly repetitive. */
const readFiles = async (request: FastifyRequest, onChunk: (chunk: Buffer) => void): Promise<Map<string, Buffer>> => {
  if (!request.isMultipart()) throw invalid({ body: ['is missing. Send a form with the file manifest.json.'] })
  const files = new Map<string, Buffer>()
  const unknown: FieldErrors = {}
  await withFormErrors(request, async () => {
    for await (const part of request.files()) {
      const name = findArtifactName(part)
      if (name) files.set(name, await compressFile(part, name, onChunk))
      else {
        unknown[part.filename || part.fieldname] = [`is not a dbt artifact. Expected ${ARTIFACT_FILES.join(', ')}.`]
        part.file.resume()
      }
    }
  })
  if (Object.keys(unknown).length > 0) throw invalid(unknown)
  if (!files.has('manifest.json')) throw invalid({ 'manifest.json': [translatable('is missing.')] })
  return files
}

const findArtifactName = ({ filename, fieldname }: MultipartFile): string | undefined =>
  ARTIFACT_FILES.find((name) => name === filename) ?? ARTIFACT_FILES.find((name) => name === fieldname || name === `${fieldname}.json`)

const compressFile = async ({ file }: MultipartFile, name: string, onChunk: (chunk: Buffer) => void): Promise<Buffer> => {
  const chunks: Buffer[] = []
  await pipeline(
    file,
    async function* (bytes) {
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        onChunk(chunk)
        yield chunk
      }
    },
    createGzip({ level: 1 }),
    async (packed) => {
      for await (const chunk of packed) chunks.push(chunk as Buffer)
    },
  )
  if (file.truncated)
    throw new ApiError(
      'payload_too_large',
      translatable('{name} is larger than {max} MB.', { name, max: MAX_ARTIFACT_BYTES / 1024 / 1024 }),
    )
  return Buffer.concat(chunks)
}
