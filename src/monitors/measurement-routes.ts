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
        summary: 'List the measurements of a monitor or an incident, the newest first',
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
        summary: 'Push values that were measured elsewhere',
        description: 'They are judged like any other. All or nothing. A value for a time that has one already changes nothing.',
        tags,
        body: MeasurementPush,
        response: { 201: Pushed, ...failures(400) },
      },
    },
    async (request, reply) => reply.code(201).send(await pushMeasurements(request.ctx, request.body)),
  )

  app.get(
    '/monitor/measurements/:measurement_id',
    { config: READ, schema: { summary: 'Read a measurement', tags, params, response: { 200: Measurement, ...failures(404) } } },
    (request) => readMeasurement(request.ctx, request.params.measurement_id),
  )

  app.patch(
    '/monitor/measurements/:measurement_id',
    {
      config: WRITE,
      schema: {
        summary: 'Say of a measurement that it is normal, or an incident',
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
        summary: 'What would this setting have flagged over the past?',
        description: 'Of a monitor’s own measurements, or of values that come along. Nothing is written.',
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
        summary: 'What would this monitor measure?',
        description:
          'Takes what creating one takes. The source is asked once, and for the past where its rows tell it. Nothing is written.',
        tags,
        body: MonitorCreate,
        response: { 200: MonitorPreview, ...failures(400) },
      },
    },
    (request) => previewMonitor(request.ctx, request.body),
  )
}
