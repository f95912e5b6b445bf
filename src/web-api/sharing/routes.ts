import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { fileResponses, hasFile, sendAttachment } from '../../catalog/attachments/send-attachment.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { createCardPath, renderSignedCard } from './card.ts'
import { createPublicLink, listPublicLinks, revokePublicLink } from './public-links.ts'
import { openPublicLink, readPublicAttachment } from './public-page.ts'
import { getCardPolicy } from './render-card.ts'
import {
  CARD_LANGUAGES,
  CardQuery,
  EmbedLink,
  NewPublicLink,
  PreviewPictureQuery,
  PublicFileQuery,
  PublicLinkCreate,
  PublicLinkOpen,
  PublicLinks,
  PublicPage,
  SharingSettings,
  SharingSettingsEdit,
} from './schema.ts'
import { readSharingSettings, setSharingSettings } from './settings.ts'

const tags = ['Sharing']
const params = Type.Object({ resource_id: Id() })
const DEFAULT_DAYS = 30

export interface SharingRouteOptions {
  /** System context: cards and public pages are opened without a token. */
  readonly ctx: () => Context
  readonly config: Partial<Pick<Config, 'publicUrl'>>
}

/** Cards of tables for pages of other sites, and public links. */
export const sharingRoutes =
  ({ ctx, config }: SharingRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    const getBaseUrl = (request: FastifyRequest) => config.publicUrl ?? `${request.protocol}://${request.host}`

    app.get(
      '/sharing/settings',
      {
        config: { permission: 'server.manage' },
        schema: { summary: 'Get what may be shared with others', tags, response: { 200: SharingSettings } },
      },
      (request) => readSharingSettings(request.ctx),
    )

    app.put(
      '/sharing/settings',
      {
        config: { permission: 'server.manage' },
        schema: {
          summary: 'Set what may be shared with others',
          description:
            'Takes effect at once: cards and public links that are no longer allowed are not found. Without `link_previews`, they are off.',
          tags,
          body: SharingSettingsEdit,
          response: { 200: SharingSettings, ...errorResponses(400) },
        },
      },
      (request) => setSharingSettings(request.ctx, request.body),
    )

    app.get(
      '/resource/all/:resource_id/embed_link',
      {
        config: { permission: 'catalog.write' },
        schema: {
          summary: 'Get the link of a card of a table',
          description:
            'A page with health, owners, description and columns of the table, as you see them, for a frame on the pages of allowed origins. The link needs no token and ends when you can no longer see or edit the table. 409 if no origin is allowed.',
          tags,
          params,
          querystring: Type.Object({ lang: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...CARD_LANGUAGES] })) }),
          response: { 200: EmbedLink, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        const path = await createCardPath(request.ctx, request.params.resource_id)
        const url = `${getBaseUrl(request)}${path}${request.query.lang ? `&lang=${request.query.lang}` : ''}`
        return { url, html: `<iframe src="${url.replaceAll('&', '&amp;')}" width="640" height="400" loading="lazy"></iframe>` }
      },
    )

    app.get(
      '/resource/all/:resource_id/card.html',
      {
        config: { permission: 'public' },
        schema: {
          summary: 'Get a card of a table by its signed link',
          tags,
          params,
          querystring: CardQuery,
          response: {
            200: {
              description: 'A page without scripts.',
              content: { 'text/html': { schema: Type.String({ description: 'The page.' }) } },
            },
            ...errorResponses(400, 404),
          },
        },
      },
      async (request, reply) => {
        const { html, origins } = await renderSignedCard(ctx(), request.params.resource_id, request.query, getBaseUrl(request))
        // The only page that others may show in a frame. X-Frame-Options knows no list of origins.
        reply.removeHeader('X-Frame-Options')
        reply
          .type('text/html; charset=utf-8')
          .header('Cache-Control', 'no-store')
          .header('Content-Security-Policy', getCardPolicy(origins))
          .header('Cross-Origin-Resource-Policy', 'cross-origin')
        return html
      },
    )

    app.get(
      '/link_preview.png',
      {
        config: { permission: 'public' },
        schema: {
          summary: 'Get the picture of a link preview',
          description:
            'PNG with the title, type, health and number of owners, in English. The HTML of a page with a preview refers to it. 404 where the page has no preview: link previews are off and it is no public link, not every viewer may see the resource, or the link has ended.',
          tags,
          querystring: PreviewPictureQuery,
          response: {
            200: {
              description: 'PNG image, 1200 × 630 pixels.',
              content: { 'image/png': { schema: Type.String({ description: 'The image file.' }) } },
            },
            ...errorResponses(400, 404),
          },
        },
      },
      async (request, reply) => {
        const preview = { path: request.query.path, publicUrl: getBaseUrl(request), hasSession: false }
        const onError = (error: unknown) => request.log.warn({ err: error, request_id: request.id }, 'Failed to draw a link preview')
        const context = ctx()
        const picture = await context.runtime.pagePreviews.draw(context, preview, onError)
        if (!picture) throw notFound('link preview')
        reply
          .type('image/png')
          .header('Cache-Control', 'private, max-age=300')
          .header('X-Robots-Tag', 'noindex')
          .header('Cross-Origin-Resource-Policy', 'cross-origin') // chats show it
        return (reply as FastifyReply).send(picture) as unknown as string // the reply type expects the body type of the schema
      },
    )

    app.get(
      '/resource/all/:resource_id/public_links',
      {
        config: { permission: 'links.manage' },
        schema: {
          summary: 'List the public links of a document or glossary term',
          tags,
          params,
          response: { 200: PublicLinks, ...errorResponses(404) },
        },
      },
      (request) => listPublicLinks(request.ctx, request.params.resource_id),
    )

    app.post(
      '/resource/all/:resource_id/public_links',
      {
        config: { permission: 'links.manage', shown_once: ['url'] },
        schema: {
          summary: 'Create a public link of a document or glossary term',
          description:
            'Anyone with the link can read this one page until the link expires or is revoked: title, description and text, without links to other pages of the catalog, with its own images and files. The path of the link shows a preview (title, type, health, description) to chats; the part after `#` opens the page. 409 while public links are turned off.',
          tags,
          params,
          body: PublicLinkCreate,
          response: { 201: NewPublicLink, ...errorResponses(400, 404, 409) },
        },
      },
      async (request, reply) => {
        const { expires_in_days = DEFAULT_DAYS } = request.body
        return reply.code(201).send(await createPublicLink(request.ctx, request.params.resource_id, expires_in_days, getBaseUrl(request)))
      },
    )

    app.delete(
      '/public_link/:public_link_id',
      {
        config: { permission: 'links.manage' },
        schema: {
          summary: 'Revoke a public link',
          tags,
          params: Type.Object({ public_link_id: Id() }),
          response: { 204: Type.Null(), ...errorResponses(404) },
        },
      },
      async (request, reply) => {
        await revokePublicLink(request.ctx, request.params.public_link_id)
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/public_link/open',
      {
        config: { permission: 'public' },
        schema: {
          summary: 'Get the page of a public link',
          description: 'Needs no token. 404 if the link is unknown, expired or revoked, or public links are turned off.',
          tags,
          body: PublicLinkOpen,
          response: { 200: PublicPage, ...errorResponses(400, 404) },
        },
      },
      (request, reply) => {
        reply.header('Cache-Control', 'no-store').header('X-Robots-Tag', 'noindex')
        return openPublicLink(ctx(), request.body.code, getBaseUrl(request))
      },
    )

    app.get(
      '/public_link/:public_link_id/attachment/:attachment_id',
      {
        config: { permission: 'public' },
        schema: {
          summary: 'Get an image or file of the page of a public link',
          description:
            'Needs no token: the address is signed and part of the text of the page. 404 if the link has ended, the page no longer shows the file, or it belongs to another resource. Images are shown by browsers; every other file, SVG included, is downloaded.',
          tags,
          params: Type.Object({ public_link_id: Id(), attachment_id: Id() }),
          querystring: PublicFileQuery,
          response: { ...fileResponses, ...errorResponses(400, 404) },
        },
      },
      async (request, reply) => {
        const { public_link_id: link, attachment_id: attachment } = request.params
        const signature = request.query.file_signature
        reply.header('X-Robots-Tag', 'noindex')
        return sendAttachment(reply, await readPublicAttachment(ctx(), { link, attachment, signature }, hasFile(request))) as never
      },
    )
  }
