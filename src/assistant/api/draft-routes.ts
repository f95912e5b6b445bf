import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { queueDrafts } from '../drafts/drafts.ts'
import { DraftRequest } from '../drafts/schema.ts'

/** Drafts of missing descriptions. */
export const draftRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/ai/drafts',
    {
      config: { permission: 'catalog.write' },
      schema: {
        summary: 'Draft missing descriptions in a background job',
        description:
          'Drafts are suggested changes with `by: ai` and their grounds (`GET /change_suggestions?by=ai`): people accept, edit or reject them. Without a model, columns inherit descriptions along lineage that passes values on unchanged, and names are put into words where that says something. Rejected drafts are not proposed again. Cancel with `POST /background_jobs/{job_id}/cancel`.',
        tags: ['Suggested changes'],
        body: DraftRequest,
        response: { 201: Job, ...errorResponses(400, 404, 409) },
      },
    },
    async (request, reply) => reply.code(201).send(await queueDrafts(request.ctx, request.body)),
  )
}
