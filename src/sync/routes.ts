import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import { Id } from '../wire.ts'
import { readProvenance, takeBack } from './provenance.ts'
import { Provenance, TakeBack } from './schema.ts'

const PATH = '/resource/all/:resource_id/provenance'
const params = Type.Object({ resource_id: Id() })
const tags = ['Resources']

export const provenanceRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    PATH,
    {
      config: { permission: 'catalog.read' },
      schema: {
        summary: 'Read who said what of a resource: its source, or a person',
        description: 'The fields its source speaks of. Empty for a resource no source has told of.',
        tags,
        params,
        response: { 200: Type.Array(Provenance), ...failures(404) },
      },
    },
    (request) => readProvenance(request.ctx, request.params.resource_id),
  )

  app.post(
    `${PATH}/take_back`,
    {
      config: { permission: 'catalog.write' },
      schema: {
        summary: 'Give a field back to its source: it says what the source says, and follows it from then on',
        tags,
        params,
        body: TakeBack,
        response: { 200: Type.Array(Provenance), ...failures(400, 404, 412) },
      },
    },
    (request) => takeBack(request.ctx, request.params.resource_id, request.body.field, request.body.source),
  )
}
