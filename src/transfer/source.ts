import { type Duplex, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { invalid, Refusal } from '../errors.ts'

export const MOST_BYTES = 100 * 1024 * 1024
export const LONGEST_LINE = 6 * 1024 * 1024 // a definition may have the 5 MB of any body

/** The text of a file that comes in, chunk by chunk: unpacked, measured, and UTF-8. `seen` is shown the bytes as they came. */
export async function* textOf(
  body: Readable,
  encoding: string | undefined,
  seen: (chunk: Buffer) => void = () => {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of unpacked(body, encoding, seen)) yield decode(decoder, chunk)
  yield decode(decoder)
}

/** What comes out of a stream when this goes in; an error on either side is thrown to whoever reads. */
export const through = <T extends Duplex>(chunks: Iterable<unknown> | AsyncIterable<unknown>, stream: T): T => {
  pipeline(Readable.from(chunks), stream, () => {})
  return stream
}

/** A refusal must reach a caller who is still sending, so the request itself is not destroyed when reading ends early. */
const unpacked = (body: Readable, encoding = 'identity', seen: (chunk: Buffer) => void): AsyncIterable<Buffer> => {
  const bytes = measured(body.iterator({ destroyOnReturn: false }), seen)
  if (encoding === 'identity' || encoding === '') return bytes
  if (encoding !== 'gzip') throw new Refusal('unsupported_media_type', 'Content-Encoding: gzip or none.')
  return measured(gunzipped(bytes))
}

async function* gunzipped(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* through(bytes, createGunzip())
  } catch (error) {
    if (String((error as { code?: string }).code).startsWith('Z_')) throw invalid({ body: ['is not gzip, or breaks off.'] })
    throw error
  }
}

async function* measured(bytes: AsyncIterable<Buffer>, seen?: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Refusal('payload_too_large', `A file may have ${MOST_BYTES / 1024 / 1024} MB, unpacked.`)
    seen?.(chunk)
    yield chunk
  }
}

const decode = (decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): string => {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw invalid({ body: ['is not UTF-8.'] })
  }
}
