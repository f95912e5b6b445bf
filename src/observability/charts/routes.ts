import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../platform/context/context.ts'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { renderMonitorChart, renderSignedChart } from './chart.ts'

const Picture = {
  description: 'PNG image, 1200 × 400 pixels.',
  content: { 'image/png': { schema: Type.String({ description: 'The image file.' }) } },
}
const tags = ['Monitors']

/** Charts of monitors. Signed URLs are opened without a token, so they are served with the system context. */
export const chartRoutes =
  (systemContext: () => Context): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/monitor/monitors/:monitor_id/chart.png',
      {
        config: { permission: 'monitors.read' },
        schema: {
          summary: 'Get a chart of a monitor’s latest measurements',
          description: 'The line shows the measured values, the band the expected range, and red dots the values outside it.',
          tags,
          params: Type.Object({ monitor_id: Id() }),
          response: { 200: Picture, ...errorResponses(404) },
        },
      },
      async (request, reply) => send(reply, await renderMonitorChart(request.ctx, request.params.monitor_id)),
    )

    app.get(
      '/monitor/chart/:chart_file',
      {
        config: { permission: 'public' },
        schema: {
          summary: 'Get a chart by its signed URL',
          description: 'Incident notifications contain such URLs (`<monitor>.png`). They are valid for 30 days and need no token.',
          tags,
          params: Type.Object({ chart_file: Type.String({ maxLength: 100 }) }),
          querystring: Type.Object({
            exp: Type.String({ pattern: '^\\d{1,12}$', description: 'Expiry time in seconds since 1970.' }),
            sig: Type.String({ maxLength: 200 }),
          }),
          response: { 200: Picture, ...errorResponses(400, 404) },
        },
      },
      async (request, reply) => {
        reply.header('Cross-Origin-Resource-Policy', 'cross-origin') // e-mail and chat show it
        return send(reply, await renderSignedChart(systemContext(), request.params.chart_file, request.query))
      },
    )
  }

const send = (reply: FastifyReply, picture: Buffer): string => {
  reply.type('image/png')
  reply.header('Cache-Control', 'private, max-age=300')
  return reply.send(picture) as unknown as string // the reply type expects the body type of the schema
}
