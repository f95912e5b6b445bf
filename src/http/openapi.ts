import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { withComponents } from './components.ts'
import { ErrorBody } from './errors.ts'
import { withHeaders } from './openapi-headers.ts'

/** The OpenAPI document is made from the same schemas that check requests, so it cannot drift from what is served. */
export const addOpenApi = async (app: FastifyInstance, version: string): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tablinum',
        version,
        description: 'The data catalog that is one process and one Postgres.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      security: [{ token: [] }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A token, `tbl_…`.' } } },
    },
    transform: ({ schema, url, route }) => {
      const { permission } = route.config ?? {}
      const open = permission === 'public'
      return {
        url,
        schema: {
          operationId: operationId(String(route.method), url),
          ...schema,
          ...(schema ? { response: { ...failures(...impliedBy(String(route.method), schema)), ...(schema.response as object) } } : {}),
          ...(open ? { security: [] } : {}),
          description: [schema?.description, open ? undefined : `Needs \`${permission}\`.`].filter(Boolean).join('\n\n') || undefined,
        },
      }
    },
    transformObject: (made) => ('openapiObject' in made ? withComponents(withHeaders(made.openapiObject)) : made.swaggerObject),
  })
  // Its routes are made elsewhere and say no permission: the page is for everyone, what it shows is a document.
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/docs')) route.config = { ...route.config, permission: 'public' }
  })
  await app.register(scalar, { routePrefix: '/docs', configuration: PAGE })
}

/** In the order in which a reader wants them. */
const TAGS = {
  Catalog: 'Resources of every kind: list, create, read, edit, delete, in bulk.',
  Search: 'Find anything, with facets and a reason for every hit.',
  Documents: 'Markdown content as resources.',
  Databases: 'The same rules for databases; list and read are kept for old clients.',
  Schemas: 'The same rules for schemas; list and read are kept for old clients.',
  Tables: 'The same rules for tables.',
  Columns: 'The same rules for columns, with their types and their order.',
  Dashboards: 'The same rules for dashboards.',
  Charts: 'The same rules for charts.',
  Queries: 'Kept for old clients: the catalog lists queries too.',
  Collections: 'Resources that belong together; a resource names its collections.',
  Glossary: 'What the words mean here.',
  Questions: 'What people ask about the data.',
  Replies: 'What others answer; one of them can be accepted.',
  'Event categories': 'What events stand under.',
  Events: 'Data elements that an integration reports.',
  'Event properties': 'What an event carries.',
  Tags: 'Words to put on resources.',
  'Saved views': 'What you look at often, for yourself or for everyone.',
  Bookmarks: 'What you want to find again.',
  Subscriptions: 'What you want to hear of.',
  'Custom properties': 'Fields of your own on resources, and their values.',
  Lineage: 'What flows where: as people say, and as queries say.',
  Monitors: 'What is measured of tables and columns, when, and by which limits.',
  Incidents: 'What lay outside its limits, and what people do about it.',
  Measurements: 'The values, each with the limits it was judged by.',
  Data: 'What tables hold: their first rows, and figures about their columns.',
  PII: 'What may be personal: suggestions, and who decides.',
  Versions: 'A resource as it was: read, compare, restore.',
  Trash: 'Deleted resources, which can be restored for 90 days.',
  Notifications: 'What others changed of what you own or follow, and how you are told.',
  Webhooks: 'Tell machines what happens here: signed, tried again, with a log.',
  'Activity log': 'Who did what, to which record, and when.',
  Integrations: 'Whoever reports metadata: how it is reached, and how its syncs went.',
  'Import and export': 'Files in and out, of any size.',
  'Background jobs': 'Work that goes on by itself, and how far it is.',
  'Signing in': 'Sessions, passwords and one-time links: how people come in.',
  Tokens: 'What callers show; shown once, revoked at once.',
  Users: 'People and their roles.',
  Teams: 'Who shares which resources.',
  Groups: 'People who own things together.',
  Pages: 'What the pages of the web app show, one request each, and what happens, as it happens.',
  Demo: 'Something to look at.',
}

/** Nothing on the page may call home: no fonts, assistants or counters from elsewhere. */
const PAGE = {
  title: 'Tablinum API',
  url: '/api/v1/openapi.json',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
} as const

/** `GET /api/v1/resource/all/:resource_id` → `getResourceAllByResourceId` */
const operationId = (method: string, url: string): string =>
  method.toLowerCase() +
  url
    .replace(/^\/api\/v1/, '')
    .split('/')
    .filter(Boolean)
    .map((part) =>
      (part.startsWith(':') ? `by_${part.slice(1)}` : part).replace(/(^|[_.-])(\w)/g, (_, __, letter: string) => letter.toUpperCase()),
    )
    .join('')

const DESCRIPTIONS: Record<number, string> = {
  400: 'The input is not valid; `errors` names the fields.',
  401: 'No token, or one that is not known, has expired or was revoked.',
  403: 'You may not do this.',
  404: 'There is no such thing, or you may not see it.',
  409: 'It conflicts with something that exists.',
  412: 'The record has changed since `If-Match` was read.',
  413: 'The body is too large.',
  415: 'This kind of content is not read here.',
  429: 'Too many requests; see `Retry-After`.',
  500: 'Something went wrong on our side.',
  503: 'The database is away or too busy; see `Retry-After`.',
}

/** What a route may answer because of what it takes, whichever rule is behind it. A POST may bring an `Idempotency-Key`, and a wrong one. */
const impliedBy = (method: string, { querystring, params, body }: FastifySchema): number[] => [
  ...(querystring || body || method === 'POST' ? [400] : []),
  ...(params ? [404] : []),
  ...(method === 'POST' ? [409] : []),
  ...(body ? [413, 415] : []),
  503,
]

/** The error responses of a route: these, and those every route has. */
export const failures = (...statuses: number[]): Record<number, TSchema> =>
  Object.fromEntries(
    [...new Set([...statuses, 401, 403, 429, 500])]
      .sort()
      .map((status) => [status, { ...ErrorBody, 'x-response-description': DESCRIPTIONS[status] } as TSchema]),
  )

/** What a route answers with that streams; its refusals are JSON like any other. */
export const EVENTS = {
  description: 'A stream of events.',
  content: { 'text/event-stream': { schema: Type.String({ description: 'Server-sent events.' }) } },
}
