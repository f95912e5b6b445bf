import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { deleteUser, editUser, inviteUser, listUsers, readMe, readUser } from './manage-users.ts'
import { Me, User, UserEdit, UserInvite, UserQuery } from './schema.ts'

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
        response: { 200: PageOf(User, 'UserPage'), ...failures(400) },
      },
    },
    (request) => listUsers(request.ctx, request.query, pageRequest(request.query, addressOf(request))),
  )

  app.get(
    '/user/me',
    {
      config: { permission: 'self.read' },
      schema: { summary: 'Get your user and permissions', tags, response: { 200: Me, ...failures() } },
    },
    (request) => readMe(request.ctx),
  )

  app.post(
    '/user',
    {
      config: MANAGE,
      schema: { summary: 'Invite a user', tags, body: UserInvite, response: { 201: User, ...failures(400, 409) } },
    },
    async (request, reply) => reply.code(201).send(await inviteUser(request.ctx, request.body)),
  )

  app.get(
    '/user/:user_id',
    { config: READ, schema: { summary: 'Read a user', tags, params: UserParams, response: { 200: User, ...failures(404) } } },
    (request) => readUser(request.ctx, request.params.user_id),
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
        response: { 200: User, ...failures(400, 404, 409, 412) },
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
        response: { 204: Type.Null(), ...failures(404, 409, 412) },
      },
    },
    async (request, reply) => {
      await deleteUser(request.ctx, request.params.user_id)
      return reply.code(204).send(null)
    },
  )
}
