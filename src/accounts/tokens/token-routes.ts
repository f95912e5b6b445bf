import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { NewToken, Token, TokenCreate, TokenEdit, TokenQuery } from '../shared/schema.ts'
import { createToken, editToken, getToken, listTokens, revokeToken } from './manage-tokens.ts'

const TokenParams = Type.Object({ token_id: Id() })
const OWN = { permission: 'tokens.own' } as const
const tags = ['Tokens']

export const tokenRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/auth/tokens',
    {
      config: OWN,
      schema: {
        summary: 'List your tokens, or all tokens as an admin',
        tags,
        querystring: TokenQuery,
        response: { 200: PageSchema(Token, 'TokenPage'), ...errorResponses(400) },
      },
    },
    (request) => listTokens(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    '/auth/tokens',
    {
      config: { ...OWN, shown_once: ['token'] },
      schema: { summary: 'Create a token', tags, body: TokenCreate, response: { 201: NewToken, ...errorResponses(400, 409) } },
    },
    async (request, reply) => reply.code(201).send(await createToken(request.ctx, request.body)),
  )

  app.get(
    '/auth/tokens/:token_id',
    { config: OWN, schema: { summary: 'Get a token', tags, params: TokenParams, response: { 200: Token, ...errorResponses(404) } } },
    (request) => getToken(request.ctx, request.params.token_id),
  )

  app.patch(
    '/auth/tokens/:token_id',
    {
      config: OWN,
      schema: {
        summary: 'Rename a token',
        tags,
        params: TokenParams,
        body: TokenEdit,
        response: { 200: Token, ...errorResponses(400, 404, 412) },
      },
    },
    (request) => editToken(request.ctx, request.params.token_id, request.body),
  )

  app.delete(
    '/auth/tokens/:token_id',
    {
      config: OWN,
      schema: {
        summary: 'Revoke a token',
        description: 'Takes effect immediately. Tokens created with it are revoked too.',
        tags,
        params: TokenParams,
        response: { 204: Type.Null(), ...errorResponses(404, 412) },
      },
    },
    async (request, reply) => {
      await revokeToken(request.ctx, request.params.token_id)
      return reply.code(204).send(null)
    },
  )
}
