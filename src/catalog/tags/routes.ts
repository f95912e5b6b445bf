import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { Tag, TagCreate, TagEdit, TagQuery } from './schema.ts'
import { createTag, deleteTag, editTag, getTag, listTags } from './tags.ts'

const TagParams = Type.Object({ tag_id: Id() })
const READ = { permission: 'catalog.read' } as const
const WRITE = { permission: 'catalog.write' } as const
const tags = ['Tags']

export const tagRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/tag',
    {
      config: READ,
      schema: { summary: 'List tags', tags, querystring: TagQuery, response: { 200: PageSchema(Tag, 'TagPage'), ...errorResponses(400) } },
    },
    (request) => listTags(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.post(
    '/tag',
    { config: WRITE, schema: { summary: 'Create a tag', tags, body: TagCreate, response: { 201: Tag, ...errorResponses(400, 409) } } },
    async (request, reply) => reply.code(201).send(await createTag(request.ctx, request.body)),
  )

  app.get(
    '/tag/:tag_id',
    { config: READ, schema: { summary: 'Get a tag', tags, params: TagParams, response: { 200: Tag, ...errorResponses(404) } } },
    (request) => getTag(request.ctx, request.params.tag_id),
  )

  app.patch(
    '/tag/:tag_id',
    {
      config: WRITE,
      schema: {
        summary: 'Edit a tag',
        tags,
        params: TagParams,
        body: TagEdit,
        response: { 200: Tag, ...errorResponses(400, 404, 409, 412) },
      },
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
        response: { 204: Type.Null(), ...errorResponses(404, 412) },
      },
    },
    async (request, reply) => {
      await deleteTag(request.ctx, request.params.tag_id)
      return reply.code(204).send(null)
    },
  )
}
