import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { EVENTS, failures } from '../http/openapi.ts'
import { addressOf, PageOf, PageQuery, pageRequest } from '../lists/page.ts'
import { Id, OneOf } from '../wire.ts'
import { listJobs, readJob } from './jobs.ts'
import { JOB_STATUSES, Job } from './schema.ts'
import { watchJob } from './watch.ts'

const JobParams = Type.Object({ job_id: Id() })
const READ = { permission: 'jobs.read' } as const
const TAGS = ['Background jobs']

export const jobRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/background_jobs',
    {
      config: READ,
      schema: {
        summary: 'List background jobs, newest first',
        tags: TAGS,
        querystring: Type.Object({ ...PageQuery.properties, status: Type.Optional(OneOf(JOB_STATUSES)) }),
        response: { 200: PageOf(Job, 'JobPage'), ...failures(400) },
      },
    },
    (request) => listJobs(request.ctx, pageRequest(request.query, addressOf(request)), request.query.status),
  )

  app.get(
    '/background_jobs/:job_id',
    { config: READ, schema: { summary: 'Read a background job', tags: TAGS, params: JobParams, response: { 200: Job, ...failures(404) } } },
    (request) => readJob(request.ctx, request.params.job_id),
  )

  app.get(
    '/background_jobs/:job_id/events',
    {
      config: READ,
      schema: {
        summary: 'Watch a background job',
        description: 'Server-sent events: a `job` event with the full record immediately and after every step, until the job is finished.',
        tags: TAGS,
        params: JobParams,
        response: { 200: EVENTS, ...failures(404) },
      },
    },
    (request, reply) => watchJob(request.ctx, request.params.job_id, request, reply),
  )
}
