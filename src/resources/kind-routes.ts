import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { deprecate } from '../http/deprecation.ts'
import { sendJson } from '../http/json.ts'
import { failures } from '../http/openapi.ts'
import { Job } from '../jobs/schema.ts'
import { addressOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { findField } from './fields.ts'
import { type Body, createThrough, editThrough, type KindDoor } from './kind-door.ts'
import { editOf, pageOfKind, recordOf } from './kind-schemas.ts'
import { kindOf } from './kinds.ts'
import { listResources } from './list.ts'
import { foreignNames } from './own-fields.ts'
import { CatalogQuery, catalogRequest, leaf } from './query.ts'
import { readResource } from './read.ts'
import { DELETION, removeResource } from './remove.ts'

const { entity_type: _, ...parameters } = CatalogQuery.properties
const KindQuery = Type.Object(parameters)
const READ = { permission: 'catalog.read' } as const

export const kindRoutes =
  (doors: readonly KindDoor[]): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const door of doors) addDoor(app, door)
  }

const addDoor = (app: FastifyInstance, door: KindDoor): void => {
  const { path, entity_type, noun, tag, param, deprecated } = door
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  const one = `${path}/:${param}` as const
  const params = Type.Object({ [param]: Id() })
  const idOf = (request: { params: unknown }): string => (request.params as Record<string, string>)[param]!
  const about = (summary: string) => ({ summary, tags: [tag] })
  const warn = (reply: FastifyReply, field: string, value: string) => deprecated && deprecate(reply, { operator: 'exact', field, value })
  const record = recordOf(entity_type)
  const WRITE = { permission: kindOf(entity_type).permission, never_stored: foreignNames(entity_type) }

  typed.get(
    path,
    {
      config: READ,
      schema: {
        ...about(`List ${tag.toLowerCase()}`),
        deprecated,
        querystring: KindQuery,
        response: { 200: pageOfKind(entity_type), ...failures(400) },
      },
    },
    async (request, reply) => {
      warn(reply, 'type', entity_type)
      const page = pageRequest(request.query, addressOf(request))
      const order = request.query.parent_id ? orderedBy(door.children_by) : undefined
      const wanted = await catalogRequest(request.ctx, request.query, page, leaf('exact', 'entity_type', entity_type), order)
      return sendJson(reply, await listResources(request.ctx, wanted))
    },
  )

  typed.get(
    one,
    { config: READ, schema: { ...about(`Read ${noun}`), deprecated, params, response: { 200: record, ...failures(404) } } },
    (request, reply) => {
      warn(reply, 'id', idOf(request))
      return readResource(request.ctx, idOf(request), entity_type)
    },
  )

  const { create } = door
  if (create)
    typed.post(
      path,
      { config: WRITE, schema: { ...about(`Create ${noun}`), body: create, response: { 201: record, ...failures(400, 409) } } },
      async (request, reply) => reply.code(201).send(await createThrough(request.ctx, door, request.body as Body)),
    )

  if (door.edit)
    typed.patch(
      one,
      {
        config: WRITE,
        schema: {
          ...about(`Edit ${noun}`),
          params,
          body: editOf(entity_type, door.edit_example),
          response: { 200: record, ...failures(400, 404, 412) },
        },
      },
      (request) => editThrough(request.ctx, door, idOf(request), request.body as Body),
    )

  if (door.remove === 'record')
    typed.delete(
      one,
      {
        config: WRITE,
        schema: {
          ...about(`Delete ${noun}`),
          description: DELETION,
          params,
          response: { 200: record, 202: Job, ...failures(404, 409, 412) },
        },
      },
      async (request, reply) => {
        const { job, record } = await removeResource(request.ctx, idOf(request), entity_type)
        return job ? reply.code(202).send(job) : reply.code(200).send(record!)
      },
    )
  if (door.remove === 'nothing')
    typed.delete(
      one,
      {
        config: WRITE,
        schema: {
          ...about(`Delete ${noun}`),
          description: DELETION,
          params,
          response: { 202: Job, 204: Type.Null(), ...failures(404, 409, 412) },
        },
      },
      async (request, reply) => {
        const { job } = await removeResource(request.ctx, idOf(request), entity_type)
        return job ? reply.code(202).send(job) : reply.code(204).send(null)
      },
    )
}

const orderedBy = (name: string | undefined) =>
  name === undefined ? undefined : [name, 'id'].map((each) => ({ field: findField(each)!, descending: false }))
