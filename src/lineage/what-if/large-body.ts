import { Worker } from 'node:worker_threads'
import { ApiError } from '../../platform/core/errors.ts'
import type { Slots } from '../../platform/core/slots.ts'

const MAX_HEAP_MB = 1024
const TIMEOUT_MS = 30_000

/** What the thread sends. */
export type ParsedBody = { readonly value: unknown } | { readonly problem: string }

/** A body with a manifest can have 100 MB and takes seconds to parse: that happens in a thread, and only what is read of it comes back. */
export const parseLargeBody = (threads: Slots, body: Buffer): Promise<unknown> => threads.run(() => parseInThread(body))

const parseInThread = async (body: Buffer): Promise<unknown> => {
  const worker = new Worker(new URL('./large-body-worker.ts', import.meta.url), {
    workerData: body,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  const { promise, resolve, reject } = Promise.withResolvers<ParsedBody>()
  const tooLarge = () => reject(new ApiError('payload_too_large', 'The body is too large to be parsed within the time and memory limits.'))
  const timer = setTimeout(tooLarge, TIMEOUT_MS)
  worker.once('message', resolve).once('error', tooLarge).once('exit', tooLarge)
  try {
    const parsed = await promise
    if ('problem' in parsed) throw new ApiError('malformed_json', parsed.problem)
    return parsed.value
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
