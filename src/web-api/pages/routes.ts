import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { trackView } from '../../catalog/engagement/page-views.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { Id } from '../../platform/core/schema-types.ts'
import { compressLargeResponse } from '../../platform/http/compress.ts'
import { EVENT_STREAM_RESPONSE, errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { endTour, getBootstrap, type Settings } from './bootstrap.ts'
import { getColumnFacts } from './column-facts.ts'
import { streamEvents } from './event-stream-routes.ts'
import { findHealthByIds } from './health.ts'
import { getHome } from './home.ts'
import { findNamesByIds } from './names.ts'
import { getPersonPage } from './person-page.ts'
import { getResourcePage } from './resource-page.ts'
import {
  Bootstrap,
  ColumnFactsById,
  Health,
  Home,
  HomeQuery,
  Names,
  NamesQuery,
  PersonPage,
  ResourcePage,
  TreeNode,
  TreeQuery,
} from './schema.ts'
import { listTreeLevel } from './tree.ts'

const SELF = { permission: 'self.read' } as const
const READ = { permission: 'catalog.read' } as const
const tags = ['Pages']

export interface PageRouteOptions {
  readonly settings: Settings
}

/** Endpoints of the web app: one request per page. */
export const uiRoutes =
  ({ settings }: PageRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/ui/bootstrap',
      {
        config: SELF,
        onSend: compressLargeResponse,
        schema: { summary: 'Get the initial data of the web app', tags, response: { 200: Bootstrap, ...errorResponses() } },
      },
      (request) => getBootstrap(request.ctx, settings),
    )

    app.put(
      '/ui/tour',
      {
        config: { permission: 'self.write' },
        schema: {
          summary: 'Finish or skip the tour',
          description: 'It is not offered to you again.',
          tags,
          response: { 204: Type.Null(), ...errorResponses() },
        },
      },
      async (request, reply) => {
        await endTour(request.ctx)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/ui/home',
      {
        config: READ,
        onSend: compressLargeResponse,
        schema: { summary: 'Get the home page', tags, querystring: HomeQuery, response: { 200: Home, ...errorResponses(400) } },
      },
      (request) => getHome(request.ctx, request.query.limit ?? 8, settings.publicUrl),
    )

    app.get(
      '/ui/names',
      {
        config: READ,
        schema: { summary: 'Look up names by ID', tags, querystring: NamesQuery, response: { 200: Names, ...errorResponses(400) } },
      },
      (request) => findNamesByIds(request.ctx, request.query.ids),
    )

    app.get(
      '/ui/health',
      {
        config: READ,
        schema: {
          summary: 'Get the health of resources',
          tags,
          querystring: NamesQuery,
          response: { 200: Health, ...errorResponses(400) },
        },
      },
      (request) => findHealthByIds(request.ctx, request.query.ids),
    )

    app.get(
      '/ui/person/:user_id',
      {
        config: READ,
        schema: {
          summary: 'Get a person with what they edited, asked and answered',
          description: 'Without `people.read`: yourself, owners of what you see, and authors of comments on it.',
          tags,
          params: Type.Object({ user_id: Id() }),
          response: { 200: PersonPage, ...errorResponses(404) },
        },
      },
      (request) => getPersonPage(request.ctx, request.params.user_id),
    )

    app.get(
      '/ui/resource/:resource_id',
      {
        config: READ,
        onSend: compressLargeResponse,
        schema: {
          summary: 'Get a resource with everything its page shows',
          description: 'The `ETag` header is that of the resource.',
          tags,
          params: Type.Object({ resource_id: Id() }),
          response: { 200: ResourcePage, ...errorResponses(404) },
        },
      },
      async (request, reply) => {
        const page = await getResourcePage(request.ctx, request.params.resource_id)
        trackView(request.ctx, request.params.resource_id)
        return reply.header('ETag', computeEtag(page.resource)).send(page)
      },
    )

    app.get(
      '/ui/columns/:table_id',
      {
        config: READ,
        onSend: compressLargeResponse,
        schema: {
          summary: 'Get keys, statistics, lineage counts and health of the columns of a table',
          tags,
          params: Type.Object({ table_id: Id() }),
          querystring: Type.Object({
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Only the first columns.' })),
          }),
          response: { 200: ColumnFactsById, ...errorResponses(400, 404) },
        },
      },
      (request) => getColumnFacts(request.ctx, request.params.table_id, request.query.limit),
    )

    app.get(
      '/ui/tree',
      {
        config: READ,
        onSend: compressLargeResponse,
        schema: {
          summary: 'List one level of the resource tree',
          description:
            'Lists integrations by default, the top level of an integration with `integration_id`, or the children of a resource with `parent_id`.',
          tags,
          querystring: TreeQuery,
          response: { 200: PageSchema(TreeNode, 'TreePage'), ...errorResponses(400) },
        },
      },
      (request) => listTreeLevel(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
    )

    app.get(
      '/ui/stream',
      {
        config: SELF,
        schema: {
          summary: 'Stream events',
          description:
            'Server-sent events about everything visible to the caller: `hello`, `job`, `incident`, `monitor`, `resource.changed`, `inbox` and `access`. Send `Last-Event-ID` to resume an interrupted stream. The stream ends when the session or token ends.',
          tags,
          response: { 200: EVENT_STREAM_RESPONSE, ...errorResponses() },
        },
      },
      (request, reply) => streamEvents(request, reply),
    )
  }
