import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../errors.ts'

/** Clients of the standard may send their events packed. How long a body may be is measured when it is unpacked. */
export const unpacked = (body: Readable, encoding: string | undefined): Readable & { receivedEncodedLength?: number } => {
  if (encoding === undefined || encoding === 'identity') return body
  if (encoding !== 'gzip') throw new Refusal('unsupported_media_type', 'Content-Encoding: gzip or none.')
  const stream: Readable & { receivedEncodedLength?: number } = Readable.from(
    gunzipped(body, (n) => (stream.receivedEncodedLength = n)),
    {
      objectMode: false,
    },
  )
  return stream
}

async function* gunzipped(body: Readable, received: (bytes: number) => void): AsyncGenerator<Buffer> {
  let size = 0
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    received(size)
  })
  try {
    for await (const chunk of body.pipe(createGunzip())) yield chunk as Buffer
  } catch (error) {
    if (String((error as { code?: string }).code).startsWith('Z_'))
      throw new Refusal('malformed_json', 'The body is not gzip, or breaks off.')
    throw error
  }
}
