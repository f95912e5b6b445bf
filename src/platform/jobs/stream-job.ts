import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import { ApiError } from '../core/errors.ts'
import { startEventStream } from '../http/event-stream.ts'
import { getJob } from './jobs.ts'
import { JOBS_CHANNEL } from './run.ts'
import type { Job } from './schema.ts'

const POLL_INTERVAL_MS = 5_000 // a notification can be lost with its connection
const ENDED = 'gone'

/** Stops listening if the stream is rejected by the limit. */
const startStreamOrStop = (stop: () => void, request: FastifyRequest, reply: FastifyReply): ServerResponse => {
  try {
    return startEventStream(request.ctx, request, reply)
  } catch (error) {
    stop()
    throw error
  }
}

/** Authenticates again: the token may have been revoked since the stream started. */
const readJobAgain = async (ctx: Context, id: string, request: FastifyRequest): Promise<Job | typeof ENDED> => {
  const actor = await request.server.findCaller(request)
  return actor ? getJob({ ...ctx, actor, limits: {} }, id) : ENDED
}

/** Streams the job's record after every step, until it is finished, the client disconnects or the server stops. */
export const streamJob = async (ctx: Context, id: string, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  await getJob(ctx, id) // rejects like any read, before the stream starts
  const onNotified = (changed: string) => {
    if (changed === id) void check()
  }
  const stop = await ctx.runtime.control.listen(JOBS_CHANNEL, onNotified, () => void check())
  const raw = startStreamOrStop(stop, request, reply)
  let last = ''
  const checkOnce = async () => {
    const job = await readJobAgain(ctx, id, request).catch((error) => (error instanceof ApiError ? ENDED : undefined))
    if (raw.destroyed || raw.writableEnded || !job) return // while the database is unreachable, the next check finds what this one missed
    if (job === ENDED) return end()
    if (job.updated_at !== last) raw.write(`event: job\ndata: ${JSON.stringify(job)}\n\n`)
    last = job.updated_at
    if (job.completed) end()
  }
  let checking = Promise.resolve()
  // Sequential: an older record never follows a newer one, and nothing follows the end.
  const check = (): Promise<void> => {
    checking = checking.then(checkOnce)
    return checking
  }
  const timer = setInterval(() => {
    raw.write(': still here\n\n')
    void check()
  }, POLL_INTERVAL_MS)
  const end = () => {
    clearInterval(timer)
    stop()
    ctx.runtime.streams.delete(end)
    raw.end()
  }
  ctx.runtime.streams.add(end)
  raw.once('close', end)
  if (raw.destroyed) end() // the client disconnected in the meantime
  await check()
}
