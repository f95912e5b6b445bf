import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { mustBeFromHere, readCookie, setCookie } from '../http/session-cookie.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import type { Begun } from './begin.ts'
import { changePassword } from './change-password.ts'
import { askedBy, giveCookie, publicBase, type SessionDoors } from './doors.ts'
import { acceptInvitation, invite, readInvitation } from './invite.ts'
import { mailInvitations } from './mail.ts'
import { oidcRoutes } from './oidc-routes.ts'
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
import { setUp } from './setup.ts'
import { signIn, signInWithToken } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { readSetup } from './store.ts'

const PUBLIC = { permission: 'public' } as const
const READ = { permission: 'self.read' } as const
const WRITE = { permission: 'self.write' } as const
const tags = ['Signing in']
const NOTHING = Type.Null()

export const sessionRoutes =
  (doors: SessionDoors): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { ctx, cookies, config } = doors
    const mail = mailInvitations(config, (error) => app.log.warn({ err: error }, 'mailing an invitation'))
    const signedIn = (reply: FastifyReply, begun: Begun) => {
      giveCookie(doors, reply, begun)
      return { session: begun.session, user: begun.user }
    }

    app.get(
      '/auth/setup',
      { config: PUBLIC, schema: { summary: 'See how one can sign in', tags, response: { 200: Setup, ...failures() } } },
      async () => ({
        ...(await readSetup(ctx().db)),
        password: true,
        token: true,
        oidc: config.oidc ? { name: config.oidc.name, url: '/api/v1/auth/oidc/start' } : null,
      }),
    )

    app.post(
      '/auth/setup',
      {
        config: PUBLIC,
        schema: {
          summary: 'Choose the first admin’s password, and sign in',
          tags,
          body: SetupBody,
          response: { 201: SignedIn, ...failures(400, 409) },
        },
      },
      async (request, reply) => {
        mustBeFromHere(cookies, request)
        return reply.code(201).send(signedIn(reply, await setUp(ctx(), request.body, askedBy(request, doors))))
      },
    )

    app.post(
      '/auth/sign_in',
      {
        config: PUBLIC,
        schema: {
          summary: 'Sign in with a password',
          description:
            'The session is in an http-only cookie. With it, requests that change something need the header `X-Requested-With: tablinum`.',
          tags,
          body: SignIn,
          response: { 200: SignedIn, ...failures(400) },
        },
      },
      async (request, reply) => {
        mustBeFromHere(cookies, request)
        return signedIn(reply, await signIn(ctx(), request.body, askedBy(request, doors)))
      },
    )

    app.post(
      '/auth/sign_in/token',
      {
        config: PUBLIC,
        schema: { summary: 'Sign in with a token', tags, body: TokenSignIn, response: { 200: SignedIn, ...failures(400) } },
      },
      async (request, reply) => {
        mustBeFromHere(cookies, request)
        return signedIn(reply, await signInWithToken(ctx(), request.body.token, askedBy(request, doors)))
      },
    )

    app.post(
      '/auth/sign_out',
      {
        config: PUBLIC,
        schema: {
          summary: 'Sign out',
          description: 'Ends the session of the cookie, if there is one.',
          tags,
          response: { 204: NOTHING, ...failures() },
        },
      },
      async (request, reply) => {
        mustBeFromHere(cookies, request)
        await signOut(ctx(), readCookie(cookies, request.headers.cookie))
        setCookie(cookies, reply, '', 0)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/auth/sessions',
      {
        config: READ,
        schema: {
          summary: 'List your sessions, the last used first',
          tags,
          querystring: SessionQuery,
          response: { 200: PageOf(Session, 'SessionPage'), ...failures(400) },
        },
      },
      (request) => listSessions(request.ctx, request.query, pageRequest(request.query, addressOf(request))),
    )

    app.delete(
      '/auth/sessions',
      {
        config: WRITE,
        schema: {
          summary: 'Sign out everywhere',
          tags,
          querystring: Type.Object({ others: Type.Optional(Type.Boolean({ description: 'All but the one you are asking with.' })) }),
          response: { 204: NOTHING, ...failures(400) },
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
          summary: 'End a session, at once and everywhere',
          tags,
          params: Type.Object({ session_id: Id() }),
          response: { 204: NOTHING, ...failures(404) },
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
          summary: 'Choose another password',
          description: 'Your other sessions end. Your tokens stay unless `revoke_tokens` is set.',
          tags,
          body: PasswordChange,
          response: { 204: NOTHING, ...failures(400) },
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
        config: { permission: 'people.manage', idempotency: 'record', shown_once: ['link', 'code'] }, // it is mailed
        schema: {
          summary: 'Make a one-time link with which a user chooses a password',
          description:
            'For those who are invited, and for those who forgot theirs. It is mailed to them where this workspace sends e-mails.',
          tags,
          params: Type.Object({ user_id: Id() }),
          response: { 201: Invitation, ...failures(404, 409) },
        },
      },
      async (request, reply) =>
        reply.code(201).send(await invite(request.ctx, request.params.user_id, { base: publicBase(request, doors), mail })),
    )

    app.post(
      '/auth/invitation',
      {
        config: PUBLIC,
        schema: {
          summary: 'See whom a one-time link is for',
          tags,
          body: InvitationLook,
          response: { 200: Invited, ...failures(400, 404) },
        },
      },
      (request) => readInvitation(ctx(), request.body.code, request.ip),
    )

    app.post(
      '/auth/invitation/accept',
      {
        config: PUBLIC,
        schema: {
          summary: 'Choose a password with a one-time link, and sign in',
          tags,
          body: InvitationAccept,
          response: { 200: SignedIn, ...failures(400, 404) },
        },
      },
      async (request, reply) => {
        mustBeFromHere(cookies, request)
        return signedIn(reply, await acceptInvitation(ctx(), request.body, askedBy(request, doors)))
      },
    )

    if (config.oidc) await app.register(oidcRoutes(doors, config.oidc))
  }
