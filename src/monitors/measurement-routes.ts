import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import {
  Measurement,
  MeasurementEdit,
  MeasurementPush,
  MeasurementQuery,
  MonitorPreview,
  Pushed,
  Replay,
  ReplayRequest,
} from './measurement-schema.ts'
import { listMeasurements, markMeasurement, readMeasurement } from './measurements.ts'
import { previewMonitor } from './preview.ts'
import { pushMeasurements } from './push.ts'
import { replay } from './replay.ts'
import { MonitorCreate } from './schema.ts'

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
        response: { 200: PageOf(Measurement, 'MeasurementPage'), ...failures(400) },
      },
    },
    (request) => listMeasurements(request.ctx, request.query, pageRequest(request.query, addressOf(request))),
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
        response: { 201: Pushed, ...failures(400) },
      },
    },
    async (request, reply) => reply.code(201).send(await pushMeasurements(request.ctx, request.body)),
  )

  app.get(
    '/monitor/measurements/:measurement_id',
    { config: READ, schema: { summary: 'Get a measurement', tags, params, response: { 200: Measurement, ...failures(404) } } },
    (request) => readMeasurement(request.ctx, request.params.measurement_id),
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
        response: { 200: Measurement, ...failures(400, 404, 412) },
      },
    },
    (request) => markMeasurement(request.ctx, request.params.measurement_id, request.body),
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
        response: { 200: Replay, ...failures(400, 404) },
      },
    },
    (request) => replay(request.ctx, request.body),
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
        response: { 200: MonitorPreview, ...failures(400) },
      },
    },
    (request) => previewMonitor(request.ctx, request.body),
  )
}
