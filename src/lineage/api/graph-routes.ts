import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { createJsonParser } from '../../platform/http/body.ts'
import { compressLargeResponse } from '../../platform/http/compress.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { getCode } from '../code/code.ts'
import { Code } from '../code/schema.ts'
import { getGraph } from '../graph/graph.ts'
import { Affected, Graph, GraphQuery, ImpactQuery, ImpactSummary, PathQuery, Paths } from '../graph/graph-schema.ts'
import { exportImpact, getImpact } from '../graph/impact.ts'
import { findPaths } from '../graph/path.ts'
import { parseLargeBody } from '../what-if/large-body.ts'
import { simulateChange } from '../what-if/what-if.ts'
import { WhatIf, WhatIfAnswer } from '../what-if/what-if-schema.ts'

const READ = { permission: 'catalog.read' } as const
const MAX_INLINE_BYTES = 2 * 1024 * 1024
const MAX_MANIFEST_BYTES = 100 * 1024 * 1024 // enough for a dbt project with several thousand models
const tags = ['Lineage']

const Impact = Type.Object(
  {
    ...PageSchema(Affected, 'ImpactPage').properties,
    level: Type.String(),
    truncated: Type.Boolean({
      description: 'True when more than 100,000 resources are affected: only the nearest are counted and listed.',
    }),
    summary: ImpactSummary,
  },
  { title: 'Impact' },
)

/** Read-only routes of the lineage graph. */
export const graphRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/lineage/graph',
    {
      config: { ...READ, replica: true },
      onSend: compressLargeResponse,
      schema: {
        summary: 'Get the lineage graph around a resource',
        description:
          'The nearest nodes come first. A resource you may not see appears as a hidden node without a name, and only where it is the only connection to a resource you can see.',
        tags,
        querystring: GraphQuery,
        response: { 200: Graph, ...errorResponses(400, 404) },
      },
    },
    (request) => getGraph(request.ctx, request.query),
  )

  app.get(
    '/resource/all/:resource_id/code',
    {
      config: { ...READ, replica: true },
      onSend: compressLargeResponse,
      schema: {
        summary: 'Get the code that defines or fills a resource',
        description:
          'The definition of a view, the code of a dbt model or job, the text of a query, and up to 10 queries that its lineage was derived from: those whose tables you can all see.',
        tags,
        params: Type.Object({ resource_id: Id() }),
        response: { 200: Code, ...errorResponses(404) },
      },
    },
    (request) => getCode(request.ctx, request.params.resource_id),
  )

  app.get(
    '/lineage/impact',
    {
      config: { ...READ, replica: true },
      schema: {
        summary: 'List everything downstream of a resource',
        tags,
        querystring: ImpactQuery,
        response: {
          200: {
            description: 'A page of affected resources with a summary of all of them, or a CSV file.',
            content: { 'application/json': { schema: Impact }, 'text/csv': { schema: Type.String() } },
          },
          ...errorResponses(400, 404),
        },
      },
    },
    async (request, reply) => {
      const { ctx, query } = request
      if (query.format !== 'csv') return reply.send(await getImpact(ctx, query, parsePageRequest(query, getRequestUrl(request))))
      reply.type('text/csv; charset=utf-8')
      reply.header('Content-Disposition', `attachment; filename="impact-${ctx.now.toISOString().slice(0, 10)}.csv"`)
      return reply.send((await exportImpact(ctx, query)) as unknown as string) // the reply type expects the content, not the stream
    },
  )

  app.get(
    '/lineage/path',
    {
      config: { ...READ, replica: true },
      schema: {
        summary: 'Find the lineage paths between two resources',
        tags,
        querystring: PathQuery,
        response: { 200: Paths, ...errorResponses(400, 404) },
      },
    },
    (request) => findPaths(request.ctx, request.query),
  )

  await app.register(whatIfRoutes)
}

/** On its own because of its parser: a manifest can be twenty times as large as other bodies. */
const whatIfRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const parse = createJsonParser(app)
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_MANIFEST_BYTES },
    (request: FastifyRequest, body: Buffer) =>
      body.length > MAX_INLINE_BYTES ? parseLargeBody(request.ctx.runtime.fileThreads, body) : parse(request, body),
  )

  app.post(
    '/lineage/what_if',
    {
      config: { ...READ, idempotency: 'none' },
      bodyLimit: MAX_MANIFEST_BYTES,
      schema: {
        summary: 'Simulate a change and list what it would break',
        description: 'Nothing is changed. The response includes a Markdown comment for a pull request.',
        tags,
        body: WhatIf,
        response: { 200: WhatIfAnswer, ...errorResponses(400, 404) },
      },
    },
    (request) => simulateChange(request.ctx, request.body),
  )
}
