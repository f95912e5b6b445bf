import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { invalid } from '../../platform/core/errors.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { type AspectChange, isObject, parseEvents, parseProposal, parseSnapshot } from '../datahub/change.ts'
import { ingestChanges } from './datahub-ingest.ts'

const tags = ['Integrations']
const config = { permission: 'catalog.write', repeatable: true } as const
/** DataHub's client sends at most 15 MB at once. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024

const EVENTS_DESCRIPTION = `A list of DataHub's metadata events (MCE and MCP), as \`datahub ingest\` writes them to a \`file\` sink. They are stored, and a background job
builds the catalog from them; its log names everything that could not be taken over. Events belong to the given integration, or to the one with the name
of their pipeline (\`DataHub\` without one), which is created if it does not exist. Sending the same events again changes nothing. At most 16 MB at
once: send larger files in parts, as \`tablinum ingest\` does.`

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
          200: Type.Object({ received: Type.Integer({ description: 'The number of changed aspects.' }), jobs: Type.Array(Job) }),
          ...errorResponses(400, 404, 409, 413),
        },
      },
    },
    async (request) => {
      const changes = parseEvents(request.body)
      return { received: changes.length, jobs: await ingestChanges(request.ctx, changes, request.query.integration) }
    },
  )
}

/** The endpoints of DataHub's `datahub-rest` sink, at the root: `server: https://catalog.example.com`. */
export const datahubSinkRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/config', { config: { permission: 'catalog.read' }, schema: { hide: true } }, async () => SERVER_CONFIG)

  const Action = Type.Object({ action: Type.String() })
  app.post('/aspects', { config, bodyLimit: MAX_EVENT_BYTES, schema: { hide: true, querystring: Action } }, async (request) => {
    const changes = readAspectsBody(request.query.action, request.body)
    await ingestChanges(request.ctx, changes)
    return { value: changes.map(({ urn }) => urn).join(',') }
  })
  app.post('/entities', { config, bodyLimit: MAX_EVENT_BYTES, schema: { hide: true, querystring: Action } }, async (request) => {
    const changes = readEntitiesBody(request.query.action, request.body)
    await ingestChanges(request.ctx, changes)
    return { value: changes.map(({ urn }) => urn).join(',') }
  })
}

/** What the client asks before it sends anything. */
const SERVER_CONFIG = {
  models: {},
  noCode: 'true',
  patchCapable: true,
  statefulIngestionCapable: false,
  retention: 'true',
  timeZone: 'UTC',
  datahub: { serverType: 'prod' },
  versions: { 'acryldata/datahub': { version: 'v0.15.0', commit: '' } },
  managedIngestion: { enabled: false, defaultCliVersion: '0.15.0' },
}

const readAspectsBody = (action: string, body: unknown): AspectChange[] => {
  const { proposal, proposals } = isObject(body) ? body : {}
  if (action === 'ingestProposal') return [parseProposal(proposal, 'proposal')]
  if (action !== 'ingestProposalBatch') throw invalid({ action: ['must be ingestProposal or ingestProposalBatch.'] })
  if (!Array.isArray(proposals)) throw invalid({ proposals: ['must be a list.'] })
  return proposals.map((each, i) => parseProposal(each, `proposals[${i}]`))
}

const readEntitiesBody = (action: string, body: unknown): AspectChange[] => {
  const { entity, entities, systemMetadata } = isObject(body) ? body : {}
  if (action === 'ingest') return readEntity(entity, 'entity', systemMetadata)
  if (action !== 'batchIngest') throw invalid({ action: ['must be ingest or batchIngest.'] })
  if (!Array.isArray(entities)) throw invalid({ entities: ['must be a list.'] })
  return entities.flatMap((each, i) =>
    readEntity(each, `entities[${i}]`, Array.isArray(systemMetadata) ? systemMetadata[i] : systemMetadata),
  )
}

const readEntity = (entity: unknown, place: string, systemMetadata: unknown): AspectChange[] => {
  if (!isObject(entity)) throw invalid({ [place]: ['must be an object with value.'] })
  return parseSnapshot(entity.value, `${place}.value`, systemMetadata)
}
