import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { idempotentTransaction } from '../../platform/http/idempotency.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { deleteAttachment, listAttachments, MAX_ATTACHMENT_BYTES, readAttachment, uploadAttachment } from './attachments.ts'
import { Attachment, AttachmentUpload } from './schema.ts'
import { fileResponses, hasFile, sendAttachment } from './send-attachment.ts'

const tags = ['Attachments']
const params = Type.Object({ attachment_id: Id() })

export const attachmentRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.register(uploadRoutes)

  app.get(
    '/resource/all/:resource_id/attachments',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'List the attachments of a resource',
        tags,
        params: Type.Object({ resource_id: Id() }),
        response: { 200: Type.Array(Attachment), ...errorResponses(404) },
      },
    },
    (request) => listAttachments(request.ctx, request.params.resource_id),
  )

  app.get(
    '/attachment/:attachment_id',
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Get an attachment',
        description: 'The file. Images are shown by browsers; every other file, SVG included, is downloaded.',
        tags,
        params,
        response: { ...fileResponses, ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      return sendAttachment(reply, await readAttachment(request.ctx, request.params.attachment_id, hasFile(request))) as never
    },
  )

  app.delete(
    '/attachment/:attachment_id',
    {
      config: { permission: 'catalog.write' },
      schema: {
        summary: 'Delete an attachment',
        description: 'At once and for good. Texts that refer to it stay as they are.',
        tags,
        params,
        response: { 204: Type.Null(), ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      await deleteAttachment(request.ctx, request.params.attachment_id)
      return reply.code(204).send(null)
    },
  )
}

const uploadRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.removeAllContentTypeParsers()
  // Whatever the sender says the body is: its content decides.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_ATTACHMENT_BYTES }, (_, body, done) => done(null, body))
  app.post(
    '/resource/all/:resource_id/attachments',
    {
      config: { permission: 'catalog.write', large_body: true, idempotency: 'streamed' },
      bodyLimit: MAX_ATTACHMENT_BYTES,
      schema: {
        summary: 'Upload an attachment',
        description: 'The body is the file, at most 10 MB. Its content decides its type, and which types are allowed.',
        tags,
        params: Type.Object({ resource_id: Id() }),
        querystring: AttachmentUpload,
        body: {
          content: { 'application/octet-stream': { schema: Type.Unsafe<Buffer>({ description: 'The file.' }) } },
          examples: ['The bytes of the file.'],
        },
        response: { 201: Attachment, ...errorResponses(400, 404, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const hash = createHash('sha256').update(request.url).update(content).digest()
      const file = { name: request.query.name, content }
      const stored = await uploadAttachment(request.ctx, request.params.resource_id, file, idempotentTransaction(request, hash, 201))
      return reply.code(201).send(stored)
    },
  )
}
