import { isDeepStrictEqual } from 'node:util'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { notFound } from '../../platform/core/errors.ts'
import { parseCookie, setCookie } from '../../platform/http/session-cookie.ts'
import { readServices } from '../../platform/server-settings/services.ts'
import { createSession } from './create-session.ts'
import { createOidcClient, type IdentityProviderClient } from './identity-provider.ts'
import { findOrLinkUser, type LoginState, type OidcProblem, OidcSignInError } from './oidc.ts'
import { getRequestBaseUrl, getRequestOrigin, type SignInRouteOptions, setSessionCookie } from './route-helpers.ts'

const LOGIN_STATE_COOKIE = 'tablinum_oidc'
const LOGIN_STATE_SECONDS = 600
const HIDDEN = { config: { permission: 'public' }, schema: { hide: true } } as const

/** Redirects browsers to the identity provider and back. Errors redirect to the sign-in page, which shows them. */
export const oidcRoutes =
  (options: SignInRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { ctx, cookies, config } = options
    let last: IdentityProviderClient | undefined
    /** The same one until the settings change: it caches what it discovered. */
    const getProvider = async (): Promise<IdentityProviderClient> => {
      const { oidc } = await readServices(ctx(), config)
      if (!oidc) throw notFound('identity provider')
      if (!last || !isDeepStrictEqual(last.config, oidc)) last = createOidcClient(ctx(), oidc)
      return last
    }

    app.get(
      '/auth/oidc/start',
      { ...HIDDEN, schema: { ...HIDDEN.schema, querystring: Type.Object({ return_to: Type.Optional(Type.String({ maxLength: 2000 })) }) } },
      async (request, reply) => {
        const { client } = await getProvider()
        try {
          const { url, loginState } = await client.startLogin(
            buildCallbackUrl(getRequestBaseUrl(request, options)),
            toLocalPath(request.query.return_to),
          )
          setCookie(cookies, reply, Buffer.from(JSON.stringify(loginState)).toString('base64url'), LOGIN_STATE_SECONDS, LOGIN_STATE_COOKIE)
          return reply.redirect(url)
        } catch (error) {
          app.log.warn({ err: error }, 'Cannot reach the identity provider')
          return reply.redirect(buildProblemUrl('oidc_failed'))
        }
      },
    )

    app.get('/auth/oidc/callback', HIDDEN, async (request, reply) => {
      const { client, config } = await getProvider()
      const cookie = parseCookie(cookies, request.headers.cookie, LOGIN_STATE_COOKIE)
      try {
        const loginState = parseLoginState(cookie)
        const address = new URL(buildCallbackUrl(getRequestBaseUrl(request, options)))
        address.search = request.originalUrl.split('?')[1] ?? ''
        const claims = await client.finishLogin(address, loginState)
        const user_id = await findOrLinkUser(ctx(), claims, config)
        setSessionCookie(options, reply, await createSession(ctx(), user_id, { method: 'oidc' }, getRequestOrigin(request, options)))
        setCookie(cookies, reply, '', 0, LOGIN_STATE_COOKIE)
        return reply.redirect(loginState.return_to)
      } catch (error) {
        app.log.warn({ err: error }, 'Sign-in with the identity provider failed')
        setCookie(cookies, reply, '', 0, LOGIN_STATE_COOKIE)
        return reply.redirect(buildProblemUrl(error instanceof OidcSignInError ? error.problem : 'oidc_failed'))
      }
    })
  }

/** Normalized, because the provider compares the callback URL literally. */
export const buildCallbackUrl = (base: string): string => new URL(`${base}/api/v1/auth/oidc/callback`).href
const buildProblemUrl = (problem: OidcProblem): string => `/sign-in?problem=${problem}`

/** Only local paths are allowed, so that signing in cannot redirect to another site. */
const toLocalPath = (text: string | undefined): string =>
  text && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) ? text.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent) : '/'

const parseLoginState = (text: string | undefined): LoginState => {
  if (text === undefined) throw new OidcSignInError('oidc_failed', 'The browser did not send the login state cookie.')
  const loginState = JSON.parse(Buffer.from(text, 'base64url').toString()) as LoginState
  return { ...loginState, return_to: toLocalPath(loginState.return_to) }
}
