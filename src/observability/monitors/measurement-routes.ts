import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { getMeasurement, listMeasurements, setMeasurementFeedback } from '../evaluation/measurements.ts'
import { pushMeasurements } from '../evaluation/push.ts'
import { replayMonitor } from '../evaluation/replay.ts'
import {
  Measurement,
  MeasurementEdit,
  MeasurementPush,
  MeasurementQuery,
  MeasurementsPushed,
  MonitorPreview,
  Replay,
  ReplayRequest,
} from '../measurements/measurement-schema.ts'
import { MonitorCreate } from '../monitor-model/schema.ts'
import { previewMonitor } from './preview.ts'

const params = Type.Object({ measurement_id: Id() })
const READ = { permission: 'monitors.read' } as const
const WRITE = { permission: 'monitors.write' } as const
const tags = ['Measurements']

export const measurementRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/monitor/measurements',
    {
      config: READ,
      schema: {
        summary: 'List measurements of a monitor or an incident, newest first',
        tags,
        querystring: MeasurementQuery,
        response: { 200: PageSchema(Measurement, 'MeasurementPage'), ...errorResponses(400) },
      },
    },
    (request) => listMeasurements(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    '/monitor/measurements',
    {
      config: WRITE,
      schema: {
        summary: 'Push measurements',
        description:
          'Values measured outside Tablinum are checked against the limits like any others. Either all values are saved or none. A value for a time that already has a measurement is ignored.',
        tags,
        body: MeasurementPush,
        response: { 201: MeasurementsPushed, ...errorResponses(400) },
      },
    },
    async (request, reply) => reply.code(201).send(await pushMeasurements(request.ctx, request.body)),
  )

  app.get(
    '/monitor/measurements/:measurement_id',
    { config: READ, schema: { summary: 'Get a measurement', tags, params, response: { 200: Measurement, ...errorResponses(404) } } },
    (request) => getMeasurement(request.ctx, request.params.measurement_id),
  )

  app.patch(
    '/monitor/measurements/:measurement_id',
    {
      config: WRITE,
      schema: {
        summary: 'Mark a measurement as expected or as an incident',
        tags,
        params,
        body: MeasurementEdit,
        response: { 200: Measurement, ...errorResponses(400, 404, 412) },
      },
    },
    (request) => setMeasurementFeedback(request.ctx, request.params.measurement_id, request.body),
  )

  app.post(
    '/monitor/replay',
    {
      config: { ...READ, idempotency: 'none' },
      schema: {
        summary: 'Simulate limits on past measurements',
        description:
          'Returns the anomalies and incidents these settings would have produced, for the measurements of a monitor or for values in the request. Nothing is saved.',
        tags,
        body: ReplayRequest,
        response: { 200: Replay, ...errorResponses(400, 404) },
      },
    },
    (request) => replayMonitor(request.ctx, request.body),
  )

  app.post(
    '/monitor/preview',
    {
      config: { ...WRITE, idempotency: 'record' },
      schema: {
        summary: 'Preview a monitor',
        description:
          'Takes the same body as creating a monitor. Runs the metric once against the source, and a backfill if the table has a timestamp column. Nothing is saved.',
        tags,
        body: MonitorCreate,
        response: { 200: MonitorPreview, ...errorResponses(400) },
      },
    },
    (request) => previewMonitor(request.ctx, request.body),
  )
}
