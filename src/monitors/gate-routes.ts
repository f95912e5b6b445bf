import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { failures } from '../http/openapi.ts'
import { readGate } from './gate/gate.ts'
import { Gate, GateQuery } from './gate/schema.ts'

/** The gate of pipelines. */
export const gateRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/monitor/gate',
    {
      config: { permission: 'monitors.read' },
      schema: {
        summary: 'Ask whether a pipeline should go on with a resource',
        description:
          'Fails when a monitor of the resource (with `upstream`, also of what it is made from) has an open incident, could not measure, or has not measured in time. Both answers are 200 unless `fail_status` says otherwise.',
        tags: ['Monitors'],
        querystring: GateQuery,
        response: { 200: Gate, ...failures(400, 404), 409: Gate, 412: Gate, 424: Gate },
      },
    },
    async (request, reply) => {
      const gate = await readGate(request.ctx, request.query)
      return reply.code(gate.status === 'fail' ? (request.query.fail_status ?? 200) : 200).send(gate)
    },
  )
}
