import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { readEvents } from './read.ts'
import { Batch, Event, EventQuery, Received } from './schema.ts'
import { takeEvents } from './take.ts'
import { unpacked } from './unpack.ts'

const tags = ['Lineage']
const config = { permission: 'catalog.write', repeatable: true, idempotency: 'record' } as const // each event is a transaction of its own
const RULES = `As the OpenLineage standard writes them: of a run, a job or a dataset. Facets that nothing else shows are kept as they came, within limits, in \`display_metadata.facets\` of the run, the job or the dataset. The same event again changes nothing. Events belong to
the integration called like the namespace of their job, which the first one registers.`

/** Where clients of OpenLineage send what they see. */
export const openLineageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('preParsing', async (request, _, body) => unpacked(body, request.headers['content-encoding']))

  app.post(
    '/lineage',
    {
      config,
      schema: {
        summary: 'Take an event of OpenLineage',
        description: `${RULES} A list of events, or an object with \`events\`, is taken as well.`,
        tags,
        querystring: EventQuery,
        body: Event,
        response: { 201: Type.Unsafe<undefined>({ type: 'null', description: 'Taken; there is no body.' }), ...failures(400, 409, 415) },
      },
    },
    async (request, reply) => {
      await takeEvents(request.ctx, readEvents(request.body), request.query.integration)
      return reply.code(201).send(undefined)
    },
  )

  app.post(
    '/lineage/batch',
    {
      config,
      schema: {
        summary: 'Take several events of OpenLineage',
        description: `${RULES} One that is wrong is refused with its spot, and then none of them is taken.`,
        tags,
        querystring: EventQuery,
        body: Batch,
        response: { 200: Received, ...failures(400, 409, 415) },
      },
    },
    async (request) => {
      const events = readEvents(request.body)
      await takeEvents(request.ctx, events, request.query.integration)
      return { received: events.length }
    },
  )
}
