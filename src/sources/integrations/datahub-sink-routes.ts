import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { findNewestAspect } from '../datahub/aspect-rows.ts'
import { toEntityChanges } from '../datahub/open-api.ts'
import { readAspectsBody, readEntitiesBody, readUsageBody } from '../datahub/rest-li.ts'
import { ingestChanges } from './datahub-ingest.ts'

const config = { permission: 'catalog.write', repeatable: true } as const
/** DataHub's client sends at most 15 MB at once. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024
const Action = Type.Object({ action: Type.String() })

/** The endpoints of DataHub's `datahub-rest` sink, at the root: `server: https://catalog.example.com`. */
export const datahubSinkRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/config', { config: { permission: 'catalog.read' }, schema: { hide: true } }, async () => SERVER_CONFIG)

  const route = { config, bodyLimit: MAX_EVENT_BYTES, schema: { hide: true, querystring: Action } } as const
  app.post('/aspects', route, async ({ ctx, query, body }) => {
    if (query.action === 'getTimeseriesAspectValues') return findNewestValue(ctx, body)
    const changes = readAspectsBody(query.action, body)
    await ingestChanges(ctx, changes)
    return { value: changes.map(({ urn }) => urn).join(',') }
  })
  app.post('/entities', route, async ({ ctx, query, body }) => {
    const changes = readEntitiesBody(query.action, body)
    await ingestChanges(ctx, changes)
    return { value: changes.map(({ urn }) => urn).join(',') }
  })
  app.post('/usageStats', route, async ({ ctx, query, body }) => {
    await ingestChanges(ctx, readUsageBody(query.action, body))
    return {}
  })

  const openApi = { config, bodyLimit: MAX_EVENT_BYTES, schema: { hide: true, params: Type.Object({ type: Type.String() }) } } as const
  app.post('/openapi/v3/entity/:type', openApi, async ({ ctx, params, body }) => {
    const changes = toEntityChanges(params.type, body)
    await ingestChanges(ctx, changes)
    return [...new Set(changes.map(({ urn }) => urn))].map((urn) => ({ urn }))
  })
}

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
