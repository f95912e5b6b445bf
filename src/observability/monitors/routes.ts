import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { Monitor, MonitorCreate, MonitorEdit, MonitorQuery, RunRequest } from '../monitor-model/schema.ts'
import { createMonitor } from './create.ts'
import { deleteMonitor, editMonitor } from './edit.ts'
import { getMonitor, listMonitors } from './read.ts'
import { queueRunsNow } from './run-now.ts'

const PATH = '/monitor/monitors'
const ONE = `${PATH}/:monitor_id` as const
const params = Type.Object({ monitor_id: Id() })
const READ = { permission: 'monitors.read' } as const
const WRITE = { permission: 'monitors.write' } as const
const tags = ['Monitors']

export const monitorRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    PATH,
    {
      config: READ,
      schema: {
        summary: 'List monitors, newest first',
        tags,
        querystring: MonitorQuery,
        response: { 200: PageSchema(Monitor, 'MonitorPage'), ...errorResponses(400) },
      },
    },
    (request) => listMonitors(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    PATH,
    {
      config: WRITE,
      schema: {
        summary: 'Create a monitor',
        description:
          'Without `condition_auto_sensitivity` and without manual limits, the thresholds are automatic with sensitivity 5. If the table has a timestamp column, earlier values are backfilled so that the expected range is available immediately.',
        tags,
        body: MonitorCreate,
        response: { 201: Monitor, ...errorResponses(400, 409) },
      },
    },
    async (request, reply) => reply.code(201).send(await createMonitor(request.ctx, request.body)),
  )

  app.post(
    `${PATH}/run`,
    {
      config: { permission: 'monitors.run' },
      schema: {
        summary: 'Run monitors now, in a background job',
        description: 'Monitors that could not be measured are listed in the job’s `logs`.',
        tags,
        body: RunRequest,
        response: { 200: Job, ...errorResponses(400) },
      },
    },
    (request) => queueRunsNow(request.ctx, request.body),
  )

  app.get(
    ONE,
    { config: READ, schema: { summary: 'Get a monitor', tags, params, response: { 200: Monitor, ...errorResponses(404) } } },
    (request) => getMonitor(request.ctx, request.params.monitor_id),
  )

  app.patch(
    ONE,
    {
      config: WRITE,
      schema: {
        summary: 'Edit a monitor',
        description:
          'Setting a sensitivity makes the thresholds automatic; setting a minimum or maximum makes them manual. The target and the metric cannot be changed.',
        tags,
        params,
        body: MonitorEdit,
        response: { 200: Monitor, ...errorResponses(400, 404, 409, 412) },
      },
    },
    (request) => editMonitor(request.ctx, request.params.monitor_id, request.body),
  )

  app.delete(
    ONE,
    {
      config: WRITE,
      schema: {
        summary: 'Delete a monitor with its measurements and incidents',
        tags,
        params,
        response: { 204: Type.Null(), ...errorResponses(404, 412) },
      },
    },
    async (request, reply) => {
      await deleteMonitor(request.ctx, request.params.monitor_id)
      return reply.code(204).send(null)
    },
  )
}
