import { type Duplex, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'

export const MAX_IMPORT_BYTES = 100 * 1024 * 1024
export const MAX_IMPORT_LINE_BYTES = 6 * 1024 * 1024 // a definition can have 5 MB, like any request body

/** The text of a file in chunks, checked to be UTF-8. */
export async function* decodeText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of bytes) yield decode(decoder, chunk)
  yield decode(decoder)
}

/** Pipes chunks through a stream. Errors on either side are thrown to the reader. */
export const pipeThrough = <T extends Duplex>(chunks: Iterable<unknown> | AsyncIterable<unknown>, stream: T): T => {
  pipeline(Readable.from(chunks), stream, () => {})
  return stream
}

/**
 * The bytes of an uploaded file: decompressed and limited in size. `onChunk` receives the raw bytes. The request is not destroyed when
 * reading ends early, so that the error response reaches a client that is still sending.
 */
export const readFileBytes = (body: Readable, encoding = 'identity', onChunk: (chunk: Buffer) => void): AsyncIterable<Buffer> => {
  const bytes = limitSize(body.iterator({ destroyOnReturn: false }), onChunk)
  if (encoding === 'identity' || encoding === '') return bytes
  if (encoding !== 'gzip') throw new ApiError('unsupported_media_type', 'Unsupported Content-Encoding. Use gzip or none.')
  return limitSize(gunzip(bytes))
}

async function* gunzip(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* pipeThrough(bytes, createGunzip())
  } catch (error) {
    if (String((error as { code?: string }).code).startsWith('Z_')) throw invalid({ body: ['is not valid gzip or is incomplete.'] })
    throw error
  }
}

async function* limitSize(bytes: AsyncIterable<Buffer>, onChunk?: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_IMPORT_BYTES) throw fileTooLarge()
    onChunk?.(chunk)
    yield chunk
  }
}

export const fileTooLarge = (): ApiError =>
  new ApiError(
    'payload_too_large',
    translatable('The file is too large. The limit is {max} MB, uncompressed.', { max: MAX_IMPORT_BYTES / 1024 / 1024 }),
  )

const decode = (decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): string => {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw invalid({ body: ['is not valid UTF-8.'] })
  }
}
