import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { extractComponents } from './components.ts'
import { addDocsPage } from './docs-page.ts'
import { ErrorBody } from './errors.ts'
import { documentHeaders } from './openapi-headers.ts'

/** The OpenAPI document is generated from the schemas that validate requests, so it always matches the API. */
export const addOpenApi = async (app: FastifyInstance, version: string): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tablinum',
        version,
        description: 'Data catalog, lineage and data quality monitoring in one process with one Postgres.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      security: [{ token: [] }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token (`tbl_…`).' } } },
    },
    transform: ({ schema, url, route }) => {
      const { permission } = route.config ?? {}
      const open = permission === 'public'
      return {
        url,
        schema: {
          operationId: toOperationId(String(route.method), url),
          ...schema,
          ...(schema
            ? { response: { ...errorResponses(...getImpliedStatuses(String(route.method), schema)), ...(schema.response as object) } }
            : {}),
          ...(open ? { security: [] } : {}),
          description:
            [schema?.description, open ? undefined : `Requires permission \`${permission}\`.`].filter(Boolean).join('\n\n') || undefined,
        },
      }
    },
    transformObject: (document) =>
      'openapiObject' in document ? extractComponents(documentHeaders(document.openapiObject)) : document.swaggerObject,
  })
  addDocsPage(app)
}

/** In the order of the docs page. */
const TAGS = {
  Catalog: 'Resources of every entity type: list, create, read, edit, delete, bulk edit.',
  Search: 'Full-text search with facets and the matching field of every result.',
  Documents: 'Markdown documents.',
  Databases: 'Typed endpoints for databases. List and read are deprecated.',
  Schemas: 'Typed endpoints for schemas. List and read are deprecated.',
  Tables: 'Typed endpoints for tables.',
  Columns: 'Typed endpoints for columns, with data type and position.',
  Dashboards: 'Typed endpoints for dashboards.',
  Charts: 'Typed endpoints for charts.',
  Queries: 'Deprecated. Use the catalog to list queries.',
  Collections: 'Named sets of resources.',
  Glossary: 'Business terms and their definitions.',
  Insights: 'Numbers about the catalog and their trends.',
  Questions: 'Questions about the data.',
  Replies: 'Replies to questions. One reply can be accepted as the answer.',
  'Event categories': 'Categories of tracking events.',
  Events: 'Tracking events reported by an integration.',
  'Event properties': 'Properties of tracking events.',
  Tags: 'Colored labels for resources.',
  'Server settings': 'Mail server, Slack app and identity provider.',
  'Saved views': 'Search filters and columns saved under a name, private or shared.',
  Bookmarks: 'Resources you saved for quick access.',
  Subscriptions: 'Resources whose changes you are notified of.',
  'Custom properties': 'Fields your workspace adds to its resources, and their values.',
  Lineage: 'Upstream and downstream resources, derived from queries or added manually.',
  Monitors: 'Metrics of tables and columns, their schedule and their expected range.',
  Incidents: 'Anomalies, their status and their timeline.',
  Measurements: 'Values of monitors, each with the limits it was checked against.',
  Data: 'Previews of tables and profiles of their columns.',
  PII: 'Columns that may hold personal data: suggestions and decisions.',
  Versions: 'Earlier versions of a resource: read, compare, restore.',
  Trash: 'Deleted resources, which can be restored for 90 days.',
  Notifications: 'Changes to resources you own or subscribe to, and how you are notified.',
  Webhooks: 'Signed HTTP requests for activities, with retries and a delivery log.',
  'Activity log': 'Who did what, to which record, and when.',
  Integrations: 'Connections to data sources and tools that push metadata, with their syncs.',
  'Import and export': 'Import and export of files of any size.',
  'Background jobs': 'Background work and its progress.',
  'Signing in': 'Sessions, passwords and one-time links.',
  Tokens: 'API tokens. A token is shown once, and revoking it takes effect immediately.',
  Users: 'Users and their roles.',
  Teams: 'Users and the resources they share. A team can be closed.',
  Groups: 'Users who own resources together.',
  Pages: 'Data of the web app’s pages, one request each, and live events.',
  Demo: 'Demo data.',
}

/** `GET /api/v1/resource/all/:resource_id` → `getResourceAllByResourceId` */
const toOperationId = (method: string, url: string): string =>
  method.toLowerCase() +
  url
    .replace(/^\/api\/v1/, '')
    .split('/')
    .filter(Boolean)
    .map((part) =>
      (part.startsWith(':') ? `by_${part.slice(1)}` : part).replace(/(^|[_.-])(\w)/g, (_, __, letter: string) => letter.toUpperCase()),
    )
    .join('')

const STATUS_DESCRIPTIONS: Record<number, string> = {
  400: 'Invalid input; `errors` lists the fields.',
  401: 'Missing or invalid token: it does not exist, has expired or was revoked.',
  403: 'You do not have permission to do this.',
  404: 'Not found, or you do not have access to it.',
  409: 'Conflict with an existing record or its state.',
  412: 'The record has changed since the version in `If-Match`.',
  413: 'The request body is too large.',
  415: 'Unsupported content type.',
  429: 'Too many requests; see `Retry-After`.',
  500: 'Internal error.',
  503: 'The database is unreachable or overloaded, or the request timed out; see `Retry-After`.',
}

/** Error statuses that follow from a route's input, independent of its handler. A POST may carry an `Idempotency-Key`, hence 409. */
const getImpliedStatuses = (method: string, { params, body }: FastifySchema): number[] => [
  400, // any request can be malformed
  ...(params ? [404] : []),
  ...(method === 'POST' ? [409] : []),
  ...(body ? [413, 415] : []),
  503,
]

/** The error responses of a route: these, and the ones common to all routes. */
export const errorResponses = (...statuses: number[]): Record<number, TSchema> =>
  Object.fromEntries(
    [...new Set([...statuses, 401, 403, 429, 500])]
      .sort()
      .map((status) => [status, { ...ErrorBody, 'x-response-description': STATUS_DESCRIPTIONS[status] } as TSchema]),
  )

/** The success response of a streaming route; its errors are JSON as usual. */
export const EVENT_STREAM_RESPONSE = {
  description: 'A stream of events.',
  content: { 'text/event-stream': { schema: Type.String({ description: 'Server-sent events.' }) } },
}
