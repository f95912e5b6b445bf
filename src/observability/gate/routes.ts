import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { evaluateGate } from './gate.ts'
import { Gate, GateQuery } from './schema.ts'

/** The endpoint a pipeline calls to decide whether to continue. */
export const gateRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/monitor/gate',
    {
      config: { permission: 'monitors.read' },
      schema: {
        summary: 'Check whether a pipeline should use a resource',
        description:
          'Returns `fail` if a monitor of the resource (with `upstream=true`, also of any upstream resource) has an open incident, could not be measured, or is overdue. The HTTP status is 200 in either case unless `fail_status` is set.',
        tags: ['Monitors'],
        querystring: GateQuery,
        response: { 200: Gate, ...errorResponses(400, 404), 409: Gate, 412: Gate, 424: Gate },
      },
    },
    async (request, reply) => {
      const gate = await evaluateGate(request.ctx, request.query)
      return reply.code(gate.status === 'fail' ? (request.query.fail_status ?? 200) : 200).send(gate)
    },
  )
}
