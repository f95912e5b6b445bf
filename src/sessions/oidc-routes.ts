import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OidcConfig } from '../config.ts'
import { readCookie, setCookie } from '../http/session-cookie.ts'
import { beginSession } from './begin.ts'
import { askedBy, callersBase, giveCookie, type SessionDoors } from './doors.ts'
import { type Errand, findClaimed, NotSignedIn, type Problem, Provider } from './oidc.ts'

const ERRAND = 'tablinum_oidc'
const ERRAND_S = 600
const HIDDEN = { config: { permission: 'public' }, schema: { hide: true } } as const

/** Redirects browsers to the identity provider and back. Errors redirect to the sign-in page, which shows them. */
export const oidcRoutes =
  (doors: SessionDoors, config: OidcConfig): FastifyPluginAsyncTypebox =>
  async (app) => {
    const provider = new Provider(config)
    const { ctx, cookies } = doors

    app.get(
      '/auth/oidc/start',
      { ...HIDDEN, schema: { ...HIDDEN.schema, querystring: Type.Object({ return_to: Type.Optional(Type.String({ maxLength: 2000 })) }) } },
      async (request, reply) => {
        try {
          const { url, errand } = await provider.begin(callbackOf(callersBase(request, doors)), pathOf(request.query.return_to))
          setCookie(cookies, reply, Buffer.from(JSON.stringify(errand)).toString('base64url'), ERRAND_S, ERRAND)
          return reply.redirect(url)
        } catch (error) {
          app.log.warn({ err: error }, 'Cannot reach the identity provider')
          return reply.redirect(problemAt('oidc_failed'))
        }
      },
    )

    app.get('/auth/oidc/callback', HIDDEN, async (request, reply) => {
      const kept = readCookie(cookies, request.headers.cookie, ERRAND)
      try {
        const errand = readErrand(kept)
        const address = new URL(callbackOf(callersBase(request, doors)))
        address.search = request.originalUrl.split('?')[1] ?? ''
        const claims = await provider.finish(address, errand)
        const user_id = await findClaimed(ctx(), claims, config)
        giveCookie(doors, reply, await beginSession(ctx(), user_id, { method: 'oidc' }, askedBy(request, doors)))
        setCookie(cookies, reply, '', 0, ERRAND)
        return reply.redirect(errand.return_to)
      } catch (error) {
        app.log.warn({ err: error }, 'Sign-in with the identity provider failed')
        setCookie(cookies, reply, '', 0, ERRAND)
        return reply.redirect(problemAt(error instanceof NotSignedIn ? error.problem : 'oidc_failed'))
      }
    })
  }

/** Normalized, because the provider compares the callback URL literally. */
const callbackOf = (base: string): string => new URL(`${base}/api/v1/auth/oidc/callback`).href
const problemAt = (problem: Problem): string => `/sign-in?problem=${problem}`

/** Only local paths are allowed, so that signing in cannot redirect to another site. */
const pathOf = (text: string | undefined): string =>
  text && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) ? text.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent) : '/'

const readErrand = (text: string | undefined): Errand => {
  if (text === undefined) throw new NotSignedIn('oidc_failed', 'The browser did not send the login state cookie.')
  const errand = JSON.parse(Buffer.from(text, 'base64url').toString()) as Errand
  return { ...errand, return_to: pathOf(errand.return_to) }
}
