import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { beginEventStream } from '../http/event-stream.ts'
import { readJob } from './jobs.ts'
import { JOBS_CHANNEL } from './run.ts'
import type { Job } from './schema.ts'

const LOOK_ANYWAY_MS = 5_000 // a notification can be lost with its connection
const GONE = 'gone'

/** Stops listening if the stream is rejected by the limit. */
const beginOr = (stop: () => void, request: FastifyRequest, reply: FastifyReply): ServerResponse => {
  try {
    return beginEventStream(request.ctx, request, reply)
  } catch (error) {
    stop()
    throw error
  }
}

/** Authenticates again: the token may have been revoked since the stream started. */
const lookAgain = async (ctx: Context, id: string, request: FastifyRequest): Promise<Job | typeof GONE> => {
  const actor = await request.server.findCaller(request)
  return actor ? readJob({ ...ctx, actor, limits: {} }, id) : GONE
}

/** Streams the job's record after every step, until it is finished, the client disconnects or the server stops. */
export const watchJob = async (ctx: Context, id: string, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  await readJob(ctx, id) // rejects like any read, before the stream starts
  const onNotified = (changed: string) => {
    if (changed === id) void look()
  }
  const stop = await ctx.runtime.control.listen(JOBS_CHANNEL, onNotified, () => void look())
  const raw = beginOr(stop, request, reply)
  let last = ''
  const lookOnce = async () => {
    const job = await lookAgain(ctx, id, request).catch((error) => (error instanceof Refusal ? GONE : undefined))
    if (raw.destroyed || raw.writableEnded || !job) return // while the database is unreachable, the next check finds what this one missed
    if (job === GONE) return end()
    if (job.updated_at !== last) raw.write(`event: job\ndata: ${JSON.stringify(job)}\n\n`)
    last = job.updated_at
    if (job.completed) end()
  }
  let looking = Promise.resolve()
  // Sequential: an older record never follows a newer one, and nothing follows the end.
  const look = (): Promise<void> => {
    looking = looking.then(lookOnce)
    return looking
  }
  const timer = setInterval(() => {
    raw.write(': still here\n\n')
    void look()
  }, LOOK_ANYWAY_MS)
  const end = () => {
    clearInterval(timer)
    stop()
    ctx.runtime.streams.delete(end)
    raw.end()
  }
  ctx.runtime.streams.add(end)
  raw.once('close', end)
  if (raw.destroyed) end() // the client disconnected in the meantime
  await look()
}
