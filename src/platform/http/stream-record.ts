import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import { ApiError } from '../core/errors.ts'
import { startEventStream } from './event-stream.ts'

const POLL_INTERVAL_MS = 5_000 // a notification can be lost with its connection
const ENDED = 'gone'

/** A record whose changes are announced with its ID on a channel of the database. */
export interface WatchedRecord<T> {
  readonly channel: string
  readonly id: string
  readonly read: (ctx: Context) => Promise<T>
  /** The events to send for the current state; empty if nothing has changed. */
  readonly toEvents: (record: T) => string
  readonly isFinished: (record: T) => boolean
}

export const formatEvent = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Streams a record after every change, until it is finished, the client disconnects or the server stops. */
export const streamRecord = async <T extends object>(
  ctx: Context,
  { channel, id, read, toEvents, isFinished }: WatchedRecord<T>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  await read(ctx) // rejects like any read, before the stream starts
  const onNotified = (changed: string) => {
    if (changed === id) void check()
  }
  const stop = await ctx.runtime.control.listen(channel, onNotified, () => void check())
  const raw = startStreamOrStop(stop, request, reply)
  const checkOnce = async () => {
    const record = await readAgain(ctx, read, request).catch((error) => (error instanceof ApiError ? ENDED : undefined))
    if (raw.destroyed || raw.writableEnded || !record) return // while the database is unreachable, the next check finds what this one missed
    if (record === ENDED) return end()
    const events = toEvents(record)
    if (events !== '') raw.write(events)
    if (isFinished(record)) end()
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
const readAgain = async <T>(ctx: Context, read: (ctx: Context) => Promise<T>, request: FastifyRequest): Promise<T | typeof ENDED> => {
  const actor = await request.server.findCaller(request)
  return actor ? read({ ...ctx, actor, limits: {} }) : ENDED
}
