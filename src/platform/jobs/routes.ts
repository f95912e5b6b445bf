import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id, OneOf } from '../core/schema-types.ts'
import { EVENT_STREAM_RESPONSE, errorResponses } from '../http/openapi.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../lists/page.ts'
import { cancelJob, getJob, listJobs } from './jobs.ts'
import { JOB_STATUSES, Job } from './schema.ts'
import { streamJob } from './stream-job.ts'

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
        response: { 200: PageSchema(Job, 'JobPage'), ...errorResponses(400) },
      },
    },
    (request) => listJobs(request.ctx, parsePageRequest(request.query, getRequestUrl(request)), request.query.status),
  )

  app.get(
    '/background_jobs/:job_id',
    {
      config: READ,
      schema: { summary: 'Get a background job', tags: TAGS, params: JobParams, response: { 200: Job, ...errorResponses(404) } },
    },
    (request) => getJob(request.ctx, request.params.job_id),
  )

  app.post(
    '/background_jobs/:job_id/cancel',
    {
      config: { permission: 'catalog.write' },
      schema: {
        summary: 'Cancel a background job',
        description:
          'Only for jobs that work in small steps, such as drafts and the undo of an import: 409 for others. What was done until then stays.',
        tags: TAGS,
        params: JobParams,
        response: { 200: Job, ...errorResponses(404, 409) },
      },
    },
    (request) => cancelJob(request.ctx, request.params.job_id),
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
        response: { 200: EVENT_STREAM_RESPONSE, ...errorResponses(404) },
      },
    },
    (request, reply) => streamJob(request.ctx, request.params.job_id, request, reply),
  )
}
