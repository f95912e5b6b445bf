import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { failures } from '../http/openapi.ts'
import type { Format } from './column.ts'
import { exportActivities, exportResources, noteExport } from './export.ts'
import { gone } from './gone.ts'
import { ActivityExportQuery, ResourceExportQuery } from './schema.ts'
import { forTransfer } from './transfer-context.ts'

const File = {
  description: 'The file as a stream.',
  content: {
    'text/csv': { schema: Type.String() },
    'application/x-ndjson': { schema: Type.String({ description: 'One JSON object per line.' }) },
  },
}

const MEDIA_TYPE: Record<Format, string> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' }

export const exportRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/resource/export',
    {
      config: { permission: 'catalog.read', long: true },
      schema: {
        summary: 'Export resources',
        description:
          'Exports everything the catalog list returns for these parameters, as one consistent snapshot. Ordered by `id` unless `sort` is set.',
        tags: ['Import and export'],
        querystring: ResourceExportQuery,
        response: { 200: File, ...failures(400) },
      },
    },
    (request, reply) =>
      send(request, reply, 'catalog', request.query, () => exportResources(forTransfer(request.ctx, gone(reply)), request.query)),
  )

  app.get(
    '/activity_log/export',
    {
      config: { permission: 'audit.read', long: true },
      schema: {
        summary: 'Export the audit log',
        tags: ['Import and export'],
        querystring: ActivityExportQuery,
        response: { 200: File, ...failures(400) },
      },
    },
    (request, reply) =>
      send(request, reply, 'audit-log', request.query, () => exportActivities(forTransfer(request.ctx, gone(reply)), request.query)),
  )
}

const send = async (
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  { format = 'csv' }: { format?: Format },
  open: () => Promise<Readable>,
): Promise<string> => {
  const filename = `${name}-${request.ctx.now.toISOString().slice(0, 10)}.${format}`
  const file = request.method === 'HEAD' ? '' : await open()
  if (file) await noteExport(request.ctx, file, name, filename, request.query as Record<string, unknown>)
  reply.type(MEDIA_TYPE[format])
  reply.header('Content-Disposition', `attachment; filename="${filename}"`)
  reply.header('Cache-Control', 'no-store')
  return reply.send(file) as unknown as string // satisfies the reply type
}
