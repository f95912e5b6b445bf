import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { Me, User, UserEdit, UserInvite, UserQuery } from '../shared/schema.ts'
import { deleteUser, editUser, getCurrentUser, getUser, inviteUser, listUsers } from './manage-users.ts'

const UserParams = Type.Object({ user_id: Id() })
const READ = { permission: 'people.read' } as const
const MANAGE = { permission: 'people.manage' } as const
const tags = ['Users']

export const userRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/user',
    {
      config: READ,
      schema: {
        summary: 'List users',
        tags,
        querystring: UserQuery,
        response: { 200: PageSchema(User, 'UserPage'), ...errorResponses(400) },
      },
    },
    (request) => listUsers(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.get(
    '/user/me',
    {
      config: { permission: 'self.read' },
      schema: { summary: 'Get your user and permissions', tags, response: { 200: Me, ...errorResponses() } },
    },
    (request) => getCurrentUser(request.ctx),
  )

  app.post(
    '/user',
    {
      config: MANAGE,
      schema: { summary: 'Invite a user', tags, body: UserInvite, response: { 201: User, ...errorResponses(400, 409) } },
    },
    async (request, reply) => reply.code(201).send(await inviteUser(request.ctx, request.body)),
  )

  app.get(
    '/user/:user_id',
    { config: READ, schema: { summary: 'Get a user', tags, params: UserParams, response: { 200: User, ...errorResponses(404) } } },
    (request) => getUser(request.ctx, request.params.user_id),
  )

  app.patch(
    '/user/:user_id',
    {
      config: MANAGE,
      schema: {
        summary: 'Edit, disable or enable a user',
        tags,
        params: UserParams,
        body: UserEdit,
        response: { 200: User, ...errorResponses(400, 404, 409, 412) },
      },
    },
    (request) => editUser(request.ctx, request.params.user_id, request.body),
  )

  app.delete(
    '/user/:user_id',
    {
      config: MANAGE,
      schema: {
        summary: 'Delete a user',
        description:
          'The user loses access immediately and is no longer listed. The name stays in history and as owner. To keep the record, disable the user instead.',
        tags,
        params: UserParams,
        response: { 204: Type.Null(), ...errorResponses(404, 409, 412) },
      },
    },
    async (request, reply) => {
      await deleteUser(request.ctx, request.params.user_id)
      return reply.code(204).send(null)
    },
  )
}
