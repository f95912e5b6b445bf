import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { decompressBody } from './decompress-body.ts'
import { ingestEvents } from './ingest-events.ts'
import { parseEvents } from './parse-events.ts'
import { Batch, Event, EventQuery, Received } from './schema.ts'

const tags = ['Lineage']
const config = { permission: 'catalog.write', repeatable: true, idempotency: 'record' } as const // each event has its own transaction
const EVENT_DESCRIPTION = `Accepts run, job and dataset events of the OpenLineage standard. Facets that are not shown elsewhere are stored unchanged, within limits, in \`display_metadata.facets\` of the run, job or dataset. Sending an event again changes nothing. Events belong to
the integration with the name of their job's namespace, which is created by the first event.`

/** Endpoints for OpenLineage clients. */
export const openLineageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('preParsing', async (request, _, body) => decompressBody(body, request.headers['content-encoding']))

  app.post(
    '/lineage',
    {
      config,
      schema: {
        summary: 'Send an OpenLineage event',
        description: `${EVENT_DESCRIPTION} A list of events, or an object with \`events\`, is accepted as well.`,
        tags,
        querystring: EventQuery,
        body: Event,
        response: { 201: Type.Unsafe<undefined>({ type: 'null', description: 'Accepted, no body.' }), ...errorResponses(400, 409, 415) },
      },
    },
    async (request, reply) => {
      await ingestEvents(request.ctx, parseEvents(request.body), request.query.integration)
      return reply.code(201).send(undefined)
    },
  )

  app.post(
    '/lineage/batch',
    {
      config,
      schema: {
        summary: 'Send several OpenLineage events',
        description: `${EVENT_DESCRIPTION} If one is invalid, the error names it and none of them is accepted.`,
        tags,
        querystring: EventQuery,
        body: Batch,
        response: { 200: Received, ...errorResponses(400, 409, 415) },
      },
    },
    async (request) => {
      const events = parseEvents(request.body)
      await ingestEvents(request.ctx, events, request.query.integration)
      return { received: events.length }
    },
  )
}
