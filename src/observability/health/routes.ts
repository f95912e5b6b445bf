import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { createBadgePath, renderSignedBadge } from './badge.ts'
import { getHealth } from './health.ts'
import { BadgeLink, ResourceHealth } from './schema.ts'

const params = Type.Object({ resource_id: Id() })
const READ = { permission: 'catalog.read' } as const
const tags = ['Catalog']

export interface HealthRouteOptions {
  /** System context: badges are opened without a token. */
  readonly ctx: () => Context
  readonly config: Partial<Pick<Config, 'publicUrl'>>
}

export const healthRoutes =
  ({ ctx, config }: HealthRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/resource/all/:resource_id/health',
      {
        config: READ,
        schema: {
          summary: 'Get the health of a resource with its reasons',
          tags,
          params,
          response: { 200: ResourceHealth, ...errorResponses(404) },
        },
      },
      (request) => getHealth(request.ctx, request.params.resource_id),
    )

    app.get(
      '/resource/all/:resource_id/badge_link',
      {
        config: READ,
        schema: {
          summary: 'Get the link of a health badge',
          description: 'For wikis and BI tools. The link needs no token and ends when you lose access to the resource.',
          tags,
          params,
          response: { 200: BadgeLink, ...errorResponses(404) },
        },
      },
      async (request) => {
        const path = await createBadgePath(request.ctx, request.params.resource_id)
        return { url: `${config.publicUrl ?? `${request.protocol}://${request.host}`}${path}` }
      },
    )

    app.get(
      '/resource/all/:resource_id/badge.svg',
      {
        config: { permission: 'public' },
        schema: {
          summary: 'Get a health badge by its signed link',
          tags,
          params,
          querystring: Type.Object({
            by: Type.String({ maxLength: 100, description: 'The user who created the link.' }),
            signature: Type.String({ maxLength: 200 }),
          }),
          response: {
            200: { description: 'SVG image.', content: { 'image/svg+xml': { schema: Type.String({ description: 'The image file.' }) } } },
            ...errorResponses(400, 404),
          },
        },
      },
      async (request, reply) => {
        // Pages of other sites show it.
        reply.type('image/svg+xml').header('Cache-Control', 'no-cache').header('Cross-Origin-Resource-Policy', 'cross-origin')
        return renderSignedBadge(ctx(), request.params.resource_id, request.query)
      },
    )
  }
