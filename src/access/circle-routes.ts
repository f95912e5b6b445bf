import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { type CircleKind, GROUP, TEAM } from './circle-kinds.ts'
import { addMembers, createCircle, editCircle, listCircles, readCircle, removeCircle, removeMember } from './circles.ts'
import {
  type Circle,
  type CircleCreate,
  type CircleEdit,
  CircleQuery,
  Group,
  GroupCreate,
  GroupEdit,
  NewMembers,
  Team,
  TeamCreate,
  TeamEdit,
} from './schema.ts'

const READ = { permission: 'teams.read' } as const
const MANAGE = { permission: 'people.manage' } as const

interface CircleDoors {
  readonly path: string
  readonly kind: CircleKind
  readonly schemas: Record<'record' | 'create' | 'edit', TSchema>
}

/** Teams and groups have the same routes; only the path and the schemas differ. */
const circleRoutes =
  ({ path, kind, schemas }: CircleDoors): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { noun, key } = kind
    const title = String(noun[0]).toUpperCase() + noun.slice(1)
    const tags = [`${title}s`]
    // The route validates and documents the given schema; its type here is what teams and groups have in common.
    const Record = Type.Unsafe<Circle>(schemas.record)
    const Create = Type.Unsafe<CircleCreate>(schemas.create)
    const Edit = Type.Unsafe<CircleEdit>(schemas.edit)
    const Params = Type.Unsafe<{ [name: string]: string }>(Type.Object({ [key]: Id() }))
    const MemberParams = Type.Unsafe<{ [name: string]: string }>(Type.Object({ [key]: Id(), user_id: Id() }))
    const one = `${path}/:${key}`

    app.get(
      path,
      {
        config: READ,
        schema: {
          summary: `List ${noun}s`,
          description: `Viewers and guests see only the ${noun}s they belong to.`,
          tags,
          querystring: CircleQuery,
          response: { 200: PageOf(Record, `${title}Page`), ...failures(400) },
        },
      },
      (request) => listCircles(request.ctx, kind, request.query, pageRequest(request.query, addressOf(request))),
    )

    app.post(
      path,
      { config: MANAGE, schema: { summary: `Create a ${noun}`, tags, body: Create, response: { 201: Record, ...failures(400, 409) } } },
      async (request, reply) => reply.code(201).send(await createCircle(request.ctx, kind, request.body)),
    )

    app.get(
      one,
      { config: READ, schema: { summary: `Read a ${noun}`, tags, params: Params, response: { 200: Record, ...failures(404) } } },
      (request) => readCircle(request.ctx, kind, request.params[key]!),
    )

    app.patch(
      one,
      {
        config: MANAGE,
        schema: { summary: `Edit a ${noun}`, tags, params: Params, body: Edit, response: { 200: Record, ...failures(400, 404, 409, 412) } },
      },
      (request) => editCircle(request.ctx, kind, request.params[key]!, request.body),
    )

    app.delete(
      one,
      {
        config: MANAGE,
        schema: { summary: `Delete a ${noun}`, tags, params: Params, response: { 204: Type.Null(), ...failures(404, 409, 412) } },
      },
      async (request, reply) => {
        await removeCircle(request.ctx, kind, request.params[key]!)
        return reply.code(204).send(null)
      },
    )

    app.post(
      `${one}/members`,
      {
        config: MANAGE,
        schema: {
          summary: `Add members to a ${noun}`,
          tags,
          params: Params,
          body: NewMembers,
          response: { 200: Record, ...failures(400, 404, 409, 412) },
        },
      },
      (request) => addMembers(request.ctx, kind, request.params[key]!, request.body.members),
    )

    app.delete(
      `${one}/members/:user_id`,
      {
        config: MANAGE,
        schema: {
          summary: `Remove a member from a ${noun}`,
          tags,
          params: MemberParams,
          response: { 204: Type.Null(), ...failures(404, 412) },
        },
      },
      async (request, reply) => {
        await removeMember(request.ctx, kind, request.params[key]!, request.params.user_id!)
        return reply.code(204).send(null)
      },
    )
  }

export const teamRoutes = circleRoutes({ path: '/auth/teams', kind: TEAM, schemas: { record: Team, create: TeamCreate, edit: TeamEdit } })
export const groupRoutes = circleRoutes({
  path: '/auth/group',
  kind: GROUP,
  schemas: { record: Group, create: GroupCreate, edit: GroupEdit },
})
