import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AttachmentFile } from './attachments.ts'

/** Responses with the content of an attachment: nothing in it can run in the page. */
export const fileResponses = {
  200: { description: 'The file.', content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } } },
  304: Type.Null({ description: 'The caller has it already (`If-None-Match`).' }),
}

const INLINE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
const toEtag = (sha256: string): string => `"${sha256}"`

/** Whether the caller has the file with this hash. */
export const hasFile =
  ({ headers }: FastifyRequest) =>
  (sha256: string): boolean =>
    headers['if-none-match'] === toEtag(sha256)

export const sendAttachment = (reply: FastifyReply, { name, media_type, sha256, content }: AttachmentFile): FastifyReply => {
  reply.headers({
    ETag: toEtag(sha256),
    // Always checked again: access can be revoked.
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'Content-Disposition': `${INLINE_TYPES.has(media_type) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeFileName(name)}`,
  })
  if (!content) return reply.code(304).send()
  return reply.type(media_type === 'text/plain' ? 'text/plain; charset=utf-8' : media_type).send(content)
}

/** As RFC 8187 wants it: more characters are escaped than in a URL. */
const encodeFileName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
