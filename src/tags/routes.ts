import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { Tag, TagCreate, TagEdit, TagQuery } from './schema.ts'
import { createTag, editTag, listTags, readTag, removeTag } from './tags.ts'

const TagParams = Type.Object({ tag_id: Id() })
const READ = { permission: 'catalog.read' } as const
const WRITE = { permission: 'catalog.write' } as const
const tags = ['Tags']

export const tagRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/tag',
    {
      config: READ,
      schema: { summary: 'List tags', tags, querystring: TagQuery, response: { 200: PageOf(Tag, 'TagPage'), ...failures(400) } },
    },
    (request) => listTags(request.ctx, request.query, pageRequest(request.query, addressOf(request))),
  )

  app.post(
    '/tag',
    { config: WRITE, schema: { summary: 'Create a tag', tags, body: TagCreate, response: { 201: Tag, ...failures(400, 409) } } },
    async (request, reply) => reply.code(201).send(await createTag(request.ctx, request.body)),
  )

  app.get(
    '/tag/:tag_id',
    { config: READ, schema: { summary: 'Read a tag', tags, params: TagParams, response: { 200: Tag, ...failures(404) } } },
    (request) => readTag(request.ctx, request.params.tag_id),
  )

  app.patch(
    '/tag/:tag_id',
    {
      config: WRITE,
      schema: { summary: 'Edit a tag', tags, params: TagParams, body: TagEdit, response: { 200: Tag, ...failures(400, 404, 409, 412) } },
    },
    (request) => editTag(request.ctx, request.params.tag_id, request.body),
  )

  app.delete(
    '/tag/:tag_id',
    {
      config: WRITE,
      schema: {
        summary: 'Delete a tag and remove it from every resource',
        tags,
        params: TagParams,
        response: { 204: Type.Null(), ...failures(404, 412) },
      },
    },
    async (request, reply) => {
      await removeTag(request.ctx, request.params.tag_id)
      return reply.code(204).send(null)
    },
  )
}
