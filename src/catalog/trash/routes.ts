import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { deleteFromTrash, listTrash } from './list.ts'
import { TrashEntry } from './schema.ts'

const tags = ['Trash']

export const trashRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/trash',
    {
      config: { permission: 'catalog.write' },
      schema: {
        summary: 'List deleted resources that can be restored, newest first',
        description: 'Lists resources deleted in the last 90 days. Restore one with `POST /resource/all/{id}/restore`.',
        tags,
        querystring: PageQuery,
        response: { 200: PageSchema(TrashEntry, 'TrashPage'), ...errorResponses(400) },
      },
    },
    (request) => listTrash(request.ctx, parsePageRequest(request.query, getRequestUrl(request))),
  )

  app.delete(
    '/trash/:resource_id',
    {
      config: { permission: 'trash.delete' },
      schema: {
        summary: 'Delete a resource from the trash',
        description: 'The resource can no longer be restored. Its history is kept.',
        tags,
        params: Type.Object({ resource_id: Id() }),
        response: { 204: Type.Null(), ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      await deleteFromTrash(request.ctx, request.params.resource_id)
      return reply.code(204).send(null)
    },
  )
}
