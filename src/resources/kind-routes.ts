import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type TObject, Type } from 'typebox'
import type { Context } from '../context.ts'
import { deprecate } from '../http/deprecation.ts'
import { sendJson } from '../http/json.ts'
import { failures } from '../http/openapi.ts'
import { addressOf, PageOf, PageQuery, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { createResource } from './create.ts'
import { editResource } from './edit.ts'
import { listResources } from './list.ts'
import { catalogRequest, leaf } from './query.ts'
import { readResource } from './read.ts'
import { removeResource } from './remove.ts'
import { Resource, type ResourceCreate, ResourceEdit } from './schema.ts'

/** A typed door: the same rules behind a path that decides the entity type, whatever the body says. A kind is one of these. */
export interface KindDoor {
  readonly path: string
  readonly entity_type: string
  /** For people: "a database", "Databases". */
  readonly noun: string
  readonly tag: string
  /** The path's name for the ID, as the contract spells it. */
  readonly param: string
  /** Query parameters its list takes, besides paging. */
  readonly filters: readonly ('title' | 'integration_id' | 'parent_id')[]
  readonly create?: TObject
  /** What must hold for a new one, and what follows from fields only this door knows. */
  readonly prepare?: (ctx: Context, create: Record<string, unknown>) => Promise<ResourceCreate>
  readonly edit?: true
  /** With 204 and nothing, or with 200 and the record as it was. */
  readonly remove?: 'nothing' | 'record'
  /** List and read are kept for old clients. */
  readonly deprecated?: true
}

const FILTERS = {
  title: Type.Optional(Type.String({ maxLength: 1000, description: 'Part of the title.' })),
  integration_id: Type.Optional(Type.String({ maxLength: 100 })),
  parent_id: Type.Optional(Type.String({ maxLength: 100 })),
}
const READ = { permission: 'catalog.read' } as const
const WRITE = { permission: 'catalog.write' } as const

export const kindRoutes =
  (doors: readonly KindDoor[]): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const door of doors) addDoor(app, door)
  }

const addDoor = (app: FastifyInstance, door: KindDoor): void => {
  const { path, entity_type, noun, tag, param, filters, deprecated } = door
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  const one = `${path}/:${param}` as const
  const params = Type.Object({ [param]: Id() })
  const idOf = (request: { params: unknown }): string => (request.params as Record<string, string>)[param]!
  const about = (summary: string) => ({ summary, tags: [tag] })
  const warn = (reply: FastifyReply, field: string, value: string) => deprecated && deprecate(reply, { operator: 'exact', field, value })

  typed.get(
    path,
    {
      config: READ,
      schema: {
        ...about(`List ${tag.toLowerCase()}`),
        deprecated,
        querystring: Type.Object({ ...PageQuery.properties, ...Object.fromEntries(filters.map((name) => [name, FILTERS[name]])) }),
        response: { 200: PageOf(Resource, 'ResourcePage'), ...failures(400) },
      },
    },
    async (request, reply) => {
      warn(reply, 'type', entity_type)
      const page = pageRequest(request.query, addressOf(request))
      return sendJson(
        reply,
        await listResources(request.ctx, catalogRequest(request.query, page, leaf('exact', 'entity_type', entity_type))),
      )
    },
  )

  typed.get(
    one,
    { config: READ, schema: { ...about(`Read ${noun}`), deprecated, params, response: { 200: Resource, ...failures(404) } } },
    (request, reply) => {
      warn(reply, 'id', idOf(request))
      return readResource(request.ctx, idOf(request), entity_type)
    },
  )

  const { create, prepare = async (_, body) => body as ResourceCreate } = door
  if (create)
    typed.post(
      path,
      { config: WRITE, schema: { ...about(`Create ${noun}`), body: create, response: { 201: Resource, ...failures(400, 409) } } },
      async (request, reply) => {
        const body = await prepare(request.ctx, request.body as Record<string, unknown>)
        return reply.code(201).send(await createResource(request.ctx, { ...body, entity_type }))
      },
    )

  if (door.edit)
    typed.patch(
      one,
      {
        config: WRITE,
        schema: { ...about(`Edit ${noun}`), params, body: ResourceEdit, response: { 200: Resource, ...failures(400, 404, 412) } },
      },
      (request) => editResource(request.ctx, idOf(request), request.body, entity_type),
    )

  if (door.remove === 'record')
    typed.delete(
      one,
      { config: WRITE, schema: { ...about(`Delete ${noun}`), params, response: { 200: Resource, ...failures(404, 412) } } },
      (request) => removeResource(request.ctx, idOf(request), entity_type),
    )
  if (door.remove === 'nothing')
    typed.delete(
      one,
      { config: WRITE, schema: { ...about(`Delete ${noun}`), params, response: { 204: Type.Null(), ...failures(404, 412) } } },
      async (request, reply) => {
        await removeResource(request.ctx, idOf(request), entity_type)
        return reply.code(204).send(null)
      },
    )
}
