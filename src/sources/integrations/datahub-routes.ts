import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { parseEvents } from '../datahub/change.ts'
import { ingestEvents } from './datahub-ingest.ts'
import { MAX_EVENT_BYTES } from './datahub-sink-routes.ts'

const tags = ['Integrations']
const config = { permission: 'catalog.write', repeatable: true, replaces_unstorable: true } as const

const EVENTS_DESCRIPTION = `A list of DataHub's metadata events (MCE and MCP), as \`datahub ingest\` writes them to a \`file\` sink. They are stored, and a background job
builds the catalog from them; its log names everything that could not be taken over. Events belong to the given integration, or to the one with the name
of their pipeline (\`DataHub\` without one), which is created if it does not exist. Sending the same events again changes nothing. An event that cannot be
read is named in \`rejected\` and in the log; without any other, the request is rejected. At most 16 MB at once: send larger files in parts, as
\`tablinum ingest\` does.`

const MAX_LISTED_EVENTS = 100

/** Upload of event files. */
export const datahubRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/integration/datahub/events',
    {
      config: { ...config, large_body: true },
      bodyLimit: MAX_EVENT_BYTES,
      schema: {
        summary: 'Send metadata events of DataHub connectors',
        description: EVENTS_DESCRIPTION,
        tags,
        querystring: Type.Object({
          integration: Type.Optional(Type.String({ description: 'The ID of an integration of type `datahub`.' })),
        }),
        body: Type.Unsafe<unknown>({
          description: 'A list of events, or one event.',
          examples: [
            [
              {
                entityType: 'dataset',
                entityUrn: 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)',
                changeType: 'UPSERT',
                aspectName: 'datasetProperties',
                aspect: { json: { description: 'Placed orders.' } },
              },
            ],
          ],
        }),
        response: {
          200: Type.Object({
            received: Type.Integer({ description: 'The number of changed aspects.' }),
            rejected: Type.Array(Type.String(), { description: `Events that cannot be read, and why: the first ${MAX_LISTED_EVENTS}.` }),
            jobs: Type.Array(Job),
          }),
          ...errorResponses(400, 404, 409, 413),
        },
      },
    },
    async (request) => {
      const events = parseEvents(request.body)
      const { jobs, rejected } = await ingestEvents(request.ctx, events, request.query.integration)
      return { received: events.changes.length, rejected: rejected.slice(0, MAX_LISTED_EVENTS), jobs }
    },
  )
}
