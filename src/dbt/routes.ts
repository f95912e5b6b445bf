import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type FieldErrors, invalid, Refusal } from '../errors.ts'
import { transactionFor } from '../http/idempotency.ts'
import { failures } from '../http/openapi.ts'
import { Job } from '../jobs/schema.ts'
import { Id } from '../wire.ts'
import { ARTIFACTS, MOST_BYTES } from './reader.ts'
import { mustTake, uploadArtifacts } from './upload.ts'

const DESCRIPTION = `A multipart form with \`manifest.json\` (version 1 or later, written by dbt 0.19 or later) and optionally \`catalog.json\`,
\`run_results.json\` and \`sources.json\`. Files are identified by file name or by field name. Files that are not sent keep their last uploaded version.
Returns the background job that syncs the catalog.`

/** Upload of dbt artifacts, e.g. from a pipeline after \`dbt build\`. */
export const dbtRoutes: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(multipart, { limits: { files: ARTIFACTS.length, fileSize: MOST_BYTES, fields: 20 } })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('*', (_, __, done) => done(new Refusal('unsupported_media_type', 'Send multipart/form-data.')))

  app.post(
    '/integration/dbt/:integration_id/upload_artifacts/',
    {
      config: { permission: 'catalog.write', large_body: true, idempotency: 'streamed' },
      bodyLimit: 2 * MOST_BYTES,
      schema: {
        summary: 'Upload the artifacts of a dbt project',
        description: DESCRIPTION,
        tags: ['Integrations'],
        params: Type.Object({ integration_id: Id('An integration of type `dbt`.') }),
        body: {
          content: { 'multipart/form-data': { schema: Type.Unsafe({ description: 'The artifact files.' }) } },
          examples: ['manifest.json=@target/manifest.json'],
        },
        response: { 200: Job, ...failures(400, 404, 409, 413, 415) },
      },
    },
    async (request) => {
      const { integration_id } = request.params
      await mustTake(request.ctx, integration_id)
      const hash = createHash('sha256').update(request.url)
      const files = await filesOf(request, (chunk) => hash.update(chunk))
      // An Idempotency-Key is bound to the files.
      return uploadArtifacts(request.ctx, integration_id, files, transactionFor(request, hash.digest()))
    },
  )
}

/** The files of the form, compressed while they are received, because manifests are highly repetitive. */
const filesOf = async (request: FastifyRequest, seen: (chunk: Buffer) => void): Promise<Map<string, Buffer>> => {
  if (!request.isMultipart()) throw invalid({ body: ['is missing. Send a form with the file manifest.json.'] })
  const files = new Map<string, Buffer>()
  const unknown: FieldErrors = {}
  try {
    for await (const part of request.files()) {
      const name = nameOf(part)
      if (name) files.set(name, await packed(part, name, seen))
      else {
        unknown[part.filename || part.fieldname] = [`is not a dbt artifact. Expected ${ARTIFACTS.join(', ')}.`]
        part.file.resume()
      }
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (error instanceof Refusal || (code && !code.startsWith('FST_'))) throw error
    throw invalid({ body: ['is not a valid multipart form.'] })
  }
  if (Object.keys(unknown).length > 0) throw invalid(unknown)
  if (!files.has('manifest.json')) throw invalid({ 'manifest.json': ['is missing.'] })
  return files
}

const nameOf = ({ filename, fieldname }: MultipartFile): string | undefined =>
  ARTIFACTS.find((name) => name === filename) ?? ARTIFACTS.find((name) => name === fieldname || name === `${fieldname}.json`)

const packed = async ({ file }: MultipartFile, name: string, seen: (chunk: Buffer) => void): Promise<Buffer> => {
  const chunks: Buffer[] = []
  await pipeline(
    file,
    async function* (bytes) {
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        seen(chunk)
        yield chunk
      }
    },
    createGzip({ level: 1 }),
    async (packed) => {
      for await (const chunk of packed) chunks.push(chunk as Buffer)
    },
  )
  if (file.truncated) throw new Refusal('payload_too_large', `${name} is larger than ${MOST_BYTES / 1024 / 1024} MB.`)
  return Buffer.concat(chunks)
}
