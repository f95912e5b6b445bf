import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { failures } from '../http/openapi.ts'
import { Id } from '../wire.ts'
import { chartOf, signedChartOf } from './chart/chart.ts'

const Picture = {
  description: 'A picture of 1200 × 400 pixels.',
  content: { 'image/png': { schema: Type.String({ description: 'The file.' }) } },
}
const tags = ['Monitors']

/** Pictures of monitors. `stranger` is for those who come with a signed address and no token. */
export const chartRoutes =
  (stranger: () => Context): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/monitor/monitors/:monitor_id/chart.png',
      {
        config: { permission: 'monitors.read' },
        schema: {
          summary: 'Draw the latest measurements of a monitor',
          description: 'The line is what was measured, the band what it should be, the red dots what was outside of it.',
          tags,
          params: Type.Object({ monitor_id: Id() }),
          response: { 200: Picture, ...failures(404) },
        },
      },
      async (request, reply) => send(reply, await chartOf(request.ctx, request.params.monitor_id)),
    )

    app.get(
      '/monitor/chart/:chart_file',
      {
        config: { permission: 'public' },
        schema: {
          summary: 'The same picture for whoever was sent its address',
          description: 'Messages about incidents hold such addresses: `<monitor>.png`, signed, for thirty days. No token is needed.',
          tags,
          params: Type.Object({ chart_file: Type.String({ maxLength: 100 }) }),
          querystring: Type.Object({
            exp: Type.String({ pattern: '^\\d{1,12}$', description: 'Until when it opens: seconds since 1970.' }),
            sig: Type.String({ maxLength: 200 }),
          }),
          response: { 200: Picture, ...failures(400, 404) },
        },
      },
      async (request, reply) => send(reply, await signedChartOf(stranger(), request.params.chart_file, request.query)),
    )
  }

const send = (reply: FastifyReply, picture: Buffer): string => {
  reply.type('image/png')
  reply.header('Cache-Control', 'private, max-age=300')
  return reply.send(picture) as unknown as string // the reply's type wants what it holds
}
