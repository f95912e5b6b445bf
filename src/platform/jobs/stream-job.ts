import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import { formatEvent, streamRecord } from '../http/stream-record.ts'
import { getJob } from './jobs.ts'
import { JOBS_CHANNEL } from './run.ts'

/** Streams the job's record after every step, until it is finished. */
export const streamJob = (ctx: Context, id: string, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  let last = ''
  return streamRecord(
    ctx,
    {
      channel: JOBS_CHANNEL,
      id,
      read: (ctx) => getJob(ctx, id),
      toEvents: (job) => {
        const isNew = job.updated_at !== last
        last = job.updated_at
        return isNew ? formatEvent('job', job) : ''
      },
      isFinished: ({ completed }) => completed !== null,
    },
    request,
    reply,
  )
}
