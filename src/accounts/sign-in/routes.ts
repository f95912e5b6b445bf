import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { parseCookie, requireSameOrigin, setCookie } from '../../platform/http/session-cookie.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { readServices } from '../../platform/server-settings/services.ts'
import { changePassword } from './change-password.ts'
import type { CreatedSession } from './create-session.ts'
import { acceptInvitation, createInvitation, getInvitation } from './invite.ts'
import { createInvitationMailer } from './mail.ts'
import { oidcRoutes } from './oidc-routes.ts'
import { findPublicBaseUrl, getRequestOrigin, type SignInRouteOptions, setSessionCookie } from './route-helpers.ts'
import {
  Invitation,
  InvitationAccept,
  InvitationLook,
  Invited,
  PasswordChange,
  Session,
  SessionQuery,
  Setup,
  SetupBody,
  SignedIn,
  SignIn,
  TokenSignIn,
} from './schema.ts'
import { endSession, endSessions, listSessions } from './sessions.ts'
import { setUpWorkspace } from './setup.ts'
import { signIn, signInWithToken } from './sign-in.ts'
import { findSetupState } from './sign-in-rows.ts'
import { signOut } from './sign-out.ts'

const PUBLIC = { permission: 'public' } as const
const READ = { permission: 'self.read' } as const
const WRITE = { permission: 'self.write' } as const
const tags = ['Signing in']
const NOTHING = Type.Null()

export const sessionRoutes =
  (options: SignInRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { ctx, cookies, config } = options
    const mail = createInvitationMailer(ctx, config, (error) => app.log.warn({ err: error }, 'Failed to send an invitation by e-mail'))
    const signedIn = (reply: FastifyReply, created: CreatedSession) => {
      setSessionCookie(options, reply, created)
      return { session: created.session, user: created.user }
    }

    app.get(
      '/auth/setup',
      { config: PUBLIC, schema: { summary: 'List sign-in methods', tags, response: { 200: Setup, ...errorResponses() } } },
      async () => {
        const [state, { oidc }] = await Promise.all([findSetupState(ctx().db), readServices(ctx(), config)])
        return { ...state, password: true, token: true, oidc: oidc ? { name: oidc.name, url: '/api/v1/auth/oidc/start' } : null }
      },
    )

    app.post(
      '/auth/setup',
      {
        config: PUBLIC,
        schema: {
          summary: 'Set the first admin’s password and sign in',
          tags,
          body: SetupBody,
          response: { 201: SignedIn, ...errorResponses(400, 409) },
        },
      },
      async (request, reply) => {
        requireSameOrigin(cookies, request)
        return reply.code(201).send(signedIn(reply, await setUpWorkspace(ctx(), request.body, getRequestOrigin(request, options))))
      },
    )

    app.post(
      '/auth/sign_in',
      {
        config: PUBLIC,
        schema: {
          summary: 'Sign in with a password',
          description:
            'Sets an HTTP-only session cookie. Requests with this cookie that change something must send the header `X-Requested-With: tablinum`.',
          tags,
          body: SignIn,
          response: { 200: SignedIn, ...errorResponses(400) },
        },
      },
      async (request, reply) => {
        requireSameOrigin(cookies, request)
        return signedIn(reply, await signIn(ctx(), request.body, getRequestOrigin(request, options)))
      },
    )

    app.post(
      '/auth/sign_in/token',
      {
        config: PUBLIC,
        schema: { summary: 'Sign in with a token', tags, body: TokenSignIn, response: { 200: SignedIn, ...errorResponses(400) } },
      },
      async (request, reply) => {
        requireSameOrigin(cookies, request)
        return signedIn(reply, await signInWithToken(ctx(), request.body.token, getRequestOrigin(request, options)))
      },
    )

    app.post(
      '/auth/sign_out',
      {
        config: PUBLIC,
        schema: {
          summary: 'Sign out',
          description: 'Ends the session of the session cookie, if there is one.',
          tags,
          response: { 204: NOTHING, ...errorResponses() },
        },
      },
      async (request, reply) => {
        requireSameOrigin(cookies, request)
        await signOut(ctx(), parseCookie(cookies, request.headers.cookie))
        setCookie(cookies, reply, '', 0)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/auth/sessions',
      {
        config: READ,
        schema: {
          summary: 'List your sessions, most recently used first',
          tags,
          querystring: SessionQuery,
          response: { 200: PageSchema(Session, 'SessionPage'), ...errorResponses(400) },
        },
      },
      (request) => listSessions(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
    )

    app.delete(
      '/auth/sessions',
      {
        config: WRITE,
        schema: {
          summary: 'Sign out everywhere',
          tags,
          querystring: Type.Object({ others: Type.Optional(Type.Boolean({ description: 'Keep the session of this request.' })) }),
          response: { 204: NOTHING, ...errorResponses(400) },
        },
      },
      async (request, reply) => {
        await endSessions(request.ctx, request.query.others ?? false)
        return reply.code(204).send(null)
      },
    )

    app.delete(
      '/auth/sessions/:session_id',
      {
        config: WRITE,
        schema: {
          summary: 'End a session',
          tags,
          params: Type.Object({ session_id: Id() }),
          response: { 204: NOTHING, ...errorResponses(404) },
        },
      },
      async (request, reply) => {
        await endSession(request.ctx, request.params.session_id)
        return reply.code(204).send(null)
      },
    )

    app.put(
      '/auth/password',
      {
        config: { permission: 'password.own' },
        schema: {
          summary: 'Change your password',
          description: 'Your other sessions end. Your tokens stay unless `revoke_tokens` is set.',
          tags,
          body: PasswordChange,
          response: { 204: NOTHING, ...errorResponses(400) },
        },
      },
      async (request, reply) => {
        await changePassword(request.ctx, request.body)
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/user/:user_id/invitation',
      {
        config: { permission: 'people.manage', idempotency: 'record', shown_once: ['link', 'code'] }, // it sends an e-mail
        schema: {
          summary: 'Create a one-time link for a user to set a password',
          description: 'For invited users and forgotten passwords. The link is sent by e-mail if e-mail is configured.',
          tags,
          params: Type.Object({ user_id: Id() }),
          response: { 201: Invitation, ...errorResponses(404, 409) },
        },
      },
      async (request, reply) =>
        reply
          .code(201)
          .send(
            await createInvitation(request.ctx, request.params.user_id, { base: findPublicBaseUrl(request, options), mail: await mail() }),
          ),
    )

    app.post(
      '/auth/invitation',
      {
        config: PUBLIC,
        schema: {
          summary: 'Get the user of a one-time link',
          tags,
          body: InvitationLook,
          response: { 200: Invited, ...errorResponses(400, 404) },
        },
      },
      (request) => getInvitation(ctx(), request.body.code, request.ip),
    )

    app.post(
      '/auth/invitation/accept',
      {
        config: PUBLIC,
        schema: {
          summary: 'Set a password with a one-time link and sign in',
          tags,
          body: InvitationAccept,
          response: { 200: SignedIn, ...errorResponses(400, 404) },
        },
      },
      async (request, reply) => {
        requireSameOrigin(cookies, request)
        return signedIn(reply, await acceptInvitation(ctx(), request.body, getRequestOrigin(request, options)))
      },
    )

    await app.register(oidcRoutes(options))
  }
