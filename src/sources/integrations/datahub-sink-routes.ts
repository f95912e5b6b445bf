import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../platform/context/context.ts'
import { findNewestAspect } from '../datahub/aspect-rows.ts'
import { type ParsedEvents, parseProposal } from '../datahub/change.ts'
import { toEntityChanges } from '../datahub/open-api.ts'
import { readAspectsBody, readEntitiesBody, readUsageBody } from '../datahub/rest-li.ts'
import { ingestEvents } from './datahub-ingest.ts'

const config = { permission: 'catalog.write', repeatable: true, replaces_unstorable: true } as const
/** DataHub's client sends at most 15 MB at once. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024
const Action = Type.Object({ action: Type.String() })

/** The endpoints of DataHub's `datahub-rest` sink, at the root: `server: https://catalog.example.com`. */
export const datahubSinkRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/config', { config: { permission: 'catalog.read' }, schema: { hide: true } }, async () => SERVER_CONFIG)

  const route = { config, bodyLimit: MAX_EVENT_BYTES, schema: { hide: true, querystring: Action } } as const
  app.post('/aspects', route, async ({ ctx, query, body }) => {
    if (query.action === 'getTimeseriesAspectValues') return findNewestValue(ctx, body)
    return toAnswer(await ingest(ctx, readAspectsBody(query.action, body)))
  })
  app.post('/entities', route, async ({ ctx, query, body }) => {
    return toAnswer(await ingest(ctx, readEntitiesBody(query.action, body)))
  })
  app.post('/usageStats', route, async ({ ctx, query, body }) => {
    await ingestEvents(ctx, readUsageBody(query.action, body))
    return {}
  })

  const openApi = { config, bodyLimit: MAX_EVENT_BYTES, schema: { hide: true, params: Type.Object({ type: Type.String() }) } } as const
  app.post('/openapi/v3/entity/:type', openApi, async ({ ctx, params, body }) =>
    toEntities(await ingest(ctx, toEntityChanges(params.type, body, 'UPSERT'))),
  )
  app.patch('/openapi/v3/entity/:type', openApi, async ({ ctx, params, body }) =>
    toEntities(await ingest(ctx, toEntityChanges(params.type, body, 'PATCH'))),
  )
  const oneEntity = { config, schema: { hide: true, params: Type.Object({ type: Type.String(), urn: Type.String() }) } } as const
  app.delete('/openapi/v3/entity/:type/:urn', oneEntity, async ({ ctx, params: { type, urn } }) => {
    const changes = [parseProposal({ entityUrn: urn, entityType: type, changeType: 'DELETE' }, 'body')]
    return toEntities(await ingest(ctx, { changes, rejected: [] }))
  })
}

/** The entities whose events were saved. */
const ingest = async (ctx: Context, events: ParsedEvents): Promise<string[]> => {
  await ingestEvents(ctx, events)
  return [...new Set(events.changes.map(({ urn }) => urn))]
}

const toAnswer = (urns: readonly string[]) => ({ value: urns.join(',') })
const toEntities = (urns: readonly string[]) => urns.map((urn) => ({ urn }))

/** A client that compares its last run with this one asks for what it reported then. */
const findNewestValue = async (ctx: Parameters<typeof findNewestAspect>[0], body: unknown) => {
  const { urn, aspect } = (body ?? {}) as { urn?: unknown; aspect?: unknown }
  const value = typeof urn === 'string' && typeof aspect === 'string' ? await findNewestAspect(ctx, urn, aspect) : undefined
  const values = value === undefined ? [] : [{ aspect: { value: JSON.stringify(value), contentType: 'application/json' } }]
  return { value: { aspectName: aspect, values, limit: 1 } }
}

/** What the client asks before it sends anything. */
const SERVER_CONFIG = {
  models: {},
  noCode: 'true',
  patchCapable: true,
  statefulIngestionCapable: true,
  retention: 'true',
  timeZone: 'UTC',
  datahub: { serverType: 'prod' },
  versions: { 'acryldata/datahub': { version: 'v0.15.0', commit: '' } },
  managedIngestion: { enabled: false, defaultCliVersion: '0.15.0' },
}
