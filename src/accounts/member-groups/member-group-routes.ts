import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import {
  Group,
  GroupCreate,
  GroupEdit,
  type MemberGroup,
  type MemberGroupCreate,
  type MemberGroupEdit,
  MemberGroupQuery,
  NewMembers,
  Team,
  TeamCreate,
  TeamEdit,
} from '../shared/schema.ts'
import { GROUP, type MemberGroupType, TEAM } from './member-group-types.ts'
import {
  addMembers,
  createMemberGroup,
  deleteMemberGroup,
  editMemberGroup,
  getMemberGroup,
  listMemberGroups,
  removeMember,
} from './member-groups.ts'

const READ = { permission: 'teams.read' } as const
const MANAGE = { permission: 'people.manage' } as const

interface MemberGroupRouteOptions {
  readonly path: string
  readonly kind: MemberGroupType
  readonly schemas: Record<'record' | 'create' | 'edit', TSchema>
}

/** Teams and groups have the same routes; only the path and the schemas differ. */
const memberGroupRoutes =
  ({ path, kind, schemas }: MemberGroupRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { noun, key } = kind
    const title = String(noun[0]).toUpperCase() + noun.slice(1)
    const tags = [`${title}s`]
    // The route validates and documents the given schema; its type here is what teams and groups have in common.
    const Record = Type.Unsafe<MemberGroup>(schemas.record)
    const Create = Type.Unsafe<MemberGroupCreate>(schemas.create)
    const Edit = Type.Unsafe<MemberGroupEdit>(schemas.edit)
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
          querystring: MemberGroupQuery,
          response: { 200: PageSchema(Record, `${title}Page`), ...errorResponses(400) },
        },
      },
      (request) => listMemberGroups(request.ctx, kind, request.query, parsePageRequest(request.query, getRequestUrl(request))),
    )

    app.post(
      path,
      {
        config: MANAGE,
        schema: { summary: `Create a ${noun}`, tags, body: Create, response: { 201: Record, ...errorResponses(400, 409) } },
      },
      async (request, reply) => reply.code(201).send(await createMemberGroup(request.ctx, kind, request.body)),
    )

    app.get(
      one,
      { config: READ, schema: { summary: `Get a ${noun}`, tags, params: Params, response: { 200: Record, ...errorResponses(404) } } },
      (request) => getMemberGroup(request.ctx, kind, request.params[key]!),
    )

    app.patch(
      one,
      {
        config: MANAGE,
        schema: {
          summary: `Edit a ${noun}`,
          tags,
          params: Params,
          body: Edit,
          response: { 200: Record, ...errorResponses(400, 404, 409, 412) },
        },
      },
      (request) => editMemberGroup(request.ctx, kind, request.params[key]!, request.body),
    )

    app.delete(
      one,
      {
        config: MANAGE,
        schema: { summary: `Delete a ${noun}`, tags, params: Params, response: { 204: Type.Null(), ...errorResponses(404, 409, 412) } },
      },
      async (request, reply) => {
        await deleteMemberGroup(request.ctx, kind, request.params[key]!)
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
          response: { 200: Record, ...errorResponses(400, 404, 409, 412) },
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
          response: { 204: Type.Null(), ...errorResponses(404, 412) },
        },
      },
      async (request, reply) => {
        await removeMember(request.ctx, kind, request.params[key]!, request.params.user_id!)
        return reply.code(204).send(null)
      },
    )
  }

export const teamRoutes = memberGroupRoutes({
  path: '/auth/teams',
  kind: TEAM,
  schemas: { record: Team, create: TeamCreate, edit: TeamEdit },
})
export const groupRoutes = memberGroupRoutes({
  path: '/auth/group',
  kind: GROUP,
  schemas: { record: Group, create: GroupCreate, edit: GroupEdit },
})
