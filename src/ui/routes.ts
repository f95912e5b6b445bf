import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { etagOf } from '../etag.ts'
import { EVENTS, failures } from '../http/openapi.ts'
import { packLong } from '../http/pack.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { noteView } from '../resources/views.ts'
import { Id } from '../wire.ts'
import { readBootstrap, type Settings } from './bootstrap.ts'
import { readHealth } from './health.ts'
import { readHome } from './home.ts'
import { readNames } from './names.ts'
import { readResourcePage } from './resource-page.ts'
import { Bootstrap, Health, Home, HomeQuery, Names, NamesQuery, ResourcePage, TreeNode, TreeQuery } from './schema.ts'
import { readTree } from './tree.ts'
import { watchAll } from './watch.ts'

const SELF = { permission: 'self.read' } as const
const READ = { permission: 'catalog.read' } as const
const tags = ['Pages']

export interface UiDoors {
  readonly settings: Settings
}

/** Endpoints of the web app: one request per page. */
export const uiRoutes =
  ({ settings }: UiDoors): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/ui/bootstrap',
      {
        config: SELF,
        onSend: packLong,
        schema: { summary: 'Read the initial data of the web app', tags, response: { 200: Bootstrap, ...failures() } },
      },
      (request) => readBootstrap(request.ctx, settings),
    )

    app.get(
      '/ui/home',
      {
        config: READ,
        onSend: packLong,
        schema: { summary: 'Read the home page', tags, querystring: HomeQuery, response: { 200: Home, ...failures(400) } },
      },
      (request) => readHome(request.ctx, request.query.limit ?? 8, settings.publicUrl),
    )

    app.get(
      '/ui/names',
      {
        config: READ,
        schema: { summary: 'Look up names by ID', tags, querystring: NamesQuery, response: { 200: Names, ...failures(400) } },
      },
      (request) => readNames(request.ctx, request.query.ids),
    )

    app.get(
      '/ui/health',
      {
        config: { permission: 'monitors.read' },
        schema: {
          summary: 'Count open incidents of resources',
          tags,
          querystring: NamesQuery,
          response: { 200: Health, ...failures(400) },
        },
      },
      (request) => readHealth(request.ctx, request.query.ids),
    )

    app.get(
      '/ui/resource/:resource_id',
      {
        config: READ,
        onSend: packLong,
        schema: {
          summary: 'Read a resource with everything its page shows',
          description: 'The `ETag` header is that of the resource.',
          tags,
          params: Type.Object({ resource_id: Id() }),
          response: { 200: ResourcePage, ...failures(404) },
        },
      },
      async (request, reply) => {
        const page = await readResourcePage(request.ctx, request.params.resource_id)
        noteView(request.ctx, request.params.resource_id)
        return reply.header('ETag', etagOf(page.resource)).send(page)
      },
    )

    app.get(
      '/ui/tree',
      {
        config: READ,
        onSend: packLong,
        schema: {
          summary: 'List one level of the resource tree',
          description:
            'Lists integrations by default, the top level of an integration with `integration_id`, or the children of a resource with `parent_id`.',
          tags,
          querystring: TreeQuery,
          response: { 200: PageOf(TreeNode, 'TreePage'), ...failures(400) },
        },
      },
      (request) => readTree(request.ctx, request.query, pageRequest(request.query, addressOf(request))),
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
          response: { 200: EVENTS, ...failures() },
        },
      },
      (request, reply) => watchAll(request, reply),
    )
  }
