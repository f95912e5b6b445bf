import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ApiError } from '../../platform/core/errors.ts'

/** OpenLineage clients may compress their events. The body limit applies to the decompressed size. */
export const decompressBody = (body: Readable, encoding: string | undefined): Readable & { receivedEncodedLength?: number } => {
  if (encoding === undefined || encoding === 'identity') return body
  if (encoding !== 'gzip') throw new ApiError('unsupported_media_type', 'Unsupported Content-Encoding. Use gzip or none.')
  const stream: Readable & { receivedEncodedLength?: number } = Readable.from(
    gunzip(body, (n) => (stream.receivedEncodedLength = n)),
    {
      objectMode: false,
    },
  )
  return stream
}

async function* gunzip(body: Readable, received: (bytes: number) => void): AsyncGenerator<Buffer> {
  let size = 0
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    received(size)
  })
  try {
    for await (const chunk of body.pipe(createGunzip())) yield chunk as Buffer
  } catch (error) {
    if (String((error as { code?: string }).code).startsWith('Z_'))
      throw new ApiError('malformed_json', 'The body is not valid gzip or is incomplete.')
    throw error
  }
}
